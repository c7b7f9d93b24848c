/** Decisions on writes, with what the rest of the instance is supposed to be. */
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Problem } from '../problem.js'
import { decideWrite, type Decision, type Question } from '../resource/decide-write.js'
import type { WriteCommand } from '../resource/draft-write.js'
import type { FoundObjects, Lookup } from '../resource/read-plan.js'
import type { DeclaredResource } from '../resource/resource.js'
import type { Writer } from '../role/write-problem.js'
import { messages } from './messages.js'

/** The other objects of an instance, as far as a decision asks about them. */
export type Others = {
  /** The objects that references can lead to, by `collection/UUID`; none by default. */
  readonly objects?: FoundObjects | ((lookups: readonly Lookup[]) => FoundObjects)
  /** The first object of the collection in the order that is asked for; null by default. */
  readonly first?: JsonObject | null
  /** Whether another object has the unique attribute, or the path, of this state; never by default. */
  readonly isTaken?: (state: JsonObject) => boolean
}

/** Every object that is referred to, without attributes; a file has the kind of data that is referred to. */
export const whateverIsReferredTo = (lookups: readonly Lookup[]): FoundObjects =>
  new Map(
    lookups.map(({ reference: { collection, id, media } }) => [
      `${collection}/${id}` as const,
      media === undefined ? {} : { mimetype: `${media}/any` },
    ]),
  )

/** What becomes of a write, and the questions that its decision has. */
export const decided = (
  resource: DeclaredResource,
  command: WriteCommand,
  { objects = new Map(), first = null, isTaken = () => false }: Others = {},
  writer: Writer = { role: 'admin', user: command.user },
): { readonly outcome: Either<Problem, Decision>; readonly questions: readonly Question['about'][] } => {
  const questions: Question['about'][] = []
  const steps = decideWrite(resource, writer, command)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { outcome: step.value, questions }
    const question = step.value
    questions.push(question.about)
    if (question.about === 'objects')
      question.answer(typeof objects === 'function' ? objects(question.lookups) : objects)
    if (question.about === 'first') question.answer(first)
    if (question.about === 'taken') question.answer(new Set(question.states.filter(isTaken)))
  }
}

/** The state that a write stores; throws if it stores none. */
export const stateAfter = (
  resource: DeclaredResource,
  command: WriteCommand,
  others: Others = {},
): JsonObject => {
  const { outcome } = decided(resource, command, others)
  if (E.isLeft(outcome)) throw new Error(`the write is refused: ${JSON.stringify(outcome.left)}`)
  return outcome.right.state
}

/** The messages of the faults for which a write is refused, by path; none if it is accepted, or refused otherwise. */
export const faultsAfter = (
  resource: DeclaredResource,
  command: WriteCommand,
  others: Others = {},
): Readonly<Record<string, string>> => {
  const { outcome } = decided(resource, command, others)
  return E.isLeft(outcome) && outcome.left._tag === 'BadParameters' ? messages(outcome.left.faults) : {}
}
