/** Which words say what an entry of the audit log records. */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { isJsonObject } from '../json.js'

type OperationWords = Readonly<Record<string, string>>

/** What is said of a change of the publication state, and of a sign-in that failed, by its outcome. */
type OutcomeWords = Readonly<Record<'published' | 'withdrawn' | 'createdPublic' | 'signInFailed', string>> & {
  readonly signIns: OperationWords
}

const partOf = (value: Json | undefined, name: string): Json =>
  isJsonObject(value) ? (value[name] ?? null) : null

/** The words before and after the object, if it is named. Operations without words are named. */
export const auditSentence = (
  { operation, changes }: JsonObject,
  operations: OperationWords,
  words: OutcomeWords,
): readonly [before: string, after: string | null] => {
  const name = String(operation)
  const state = partOf(changes, 'state')
  const [former, next] = [partOf(state, 'before'), partOf(state, 'after')]
  const outcome = partOf(changes, 'outcome')
  const template = (): string => {
    if (next === 'published') return former === null ? words.createdPublic : words.published
    if (former === 'published') return words.withdrawn
    if (typeof outcome === 'string' && outcome !== 'succeeded') {
      const reason = words.signIns[outcome]
      return reason === undefined ? words.signInFailed : `${words.signInFailed}: ${reason}`
    }
    return operations[name] ?? `${name}: {object}`
  }
  const [before = '', after = null] = template().split('{object}')
  return [before, after]
}
