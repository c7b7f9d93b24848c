/** Which words say what an entry of the audit log records. */
import type { Json, JsonObject } from '@publishing-service/domain'
import type { OperationWords } from '../texts/operation-words.js'

type PublicationWords = Readonly<Record<'published' | 'withdrawn' | 'createdPublic', string>>

const partOf = (value: Json | undefined, name: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ((value as JsonObject)[name] ?? null)
    : null

/** The words before and after the object, if it is named. Operations without words are named. */
export const auditSentence = (
  { operation, changes }: JsonObject,
  operations: OperationWords,
  words: PublicationWords,
): readonly [before: string, after: string | null] => {
  const name = String(operation)
  const state = partOf(changes, 'state')
  const [former, next] = [partOf(state, 'before'), partOf(state, 'after')]
  const template =
    next === 'published'
      ? former === null
        ? words.createdPublic
        : words.published
      : former === 'published'
        ? words.withdrawn
        : (operations[name] ?? `${name}: {object}`)
  const [before = '', after = null] = template.split('{object}')
  return [before, after]
}
