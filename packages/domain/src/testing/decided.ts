/**
 * Writes with defaults for everything but the input, and the decisions on them, with what the rest of the instance is
 * supposed to be.
 */
import type { AnyProblem, Fault, FaultCode } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import {
  decideRestore,
  decideWrite,
  type Decision,
  type Question,
  type Steps,
} from '../resource/decide-write.js'
import { type WriteCommand, type Writer, atOnce, completeWrite, draftWrite } from '../resource/draft-write.js'
import type { FoundObjects, Lookup } from '../resource/read-plan.js'
import type { Role } from '../role/permissions.js'
import type { DeclaredResource } from '../resource/resource.js'
import type { Draft, WriteMode } from '../resource/draft-attributes.js'
import {
  decideDraftChange,
  decidePublication,
  draftAfter,
  draftShapeOf,
  draftState,
  emptyDraft,
} from '../drafts/object-draft.js'
import { now, objectId, valueContext, withAddon } from './circumstances.js'
import type { Effects } from '../resource/effects.js'

/** The message of each fault, by its path. */
export const messages = (faults: readonly Fault[]): Readonly<Record<string, string>> =>
  Object.fromEntries(faults.map(({ path, message }) => [path, message]))

/** The code of each fault, by its path. */
export const codes = (faults: readonly Fault[]): Readonly<Record<string, FaultCode>> =>
  Object.fromEntries(faults.map(({ path, code }) => [path, code]))

/** The other objects of an instance, as far as a decision asks about them. */
export type Others = {
  /** The objects that references can lead to, by `collection/UUID`; none by default. */
  readonly objects?: FoundObjects | ((lookups: readonly Lookup[]) => FoundObjects)
  /** The first object of the collection in the order that is asked for; null by default. */
  readonly first?: JsonObject | null
  /** Whether another object has the unique attribute, or the path, of this state; never by default. */
  readonly isTaken?: (state: JsonObject) => boolean
  /** The roles of API users on the instance, by UUID; none by default. */
  readonly roles?: ReadonlyMap<string, Role>
  /** Which API users have changed an attribute of the object since its draft was made, by name; not known by default. */
  readonly changedBy?: ReadonlyMap<string, ReadonlySet<string | null>>
}

/** Every object that is referred to, without attributes; a file has the kind of data that is referred to. */
export const whateverIsReferredTo = (lookups: readonly Lookup[]): FoundObjects =>
  new Map(
    lookups.map(({ reference: { collection, id, media } }) => [
      `${collection}/${id}` as const,
      media === undefined ? {} : { mimetype: `${media}/any` },
    ]),
  )

/** How a decision ends, and the questions that it has. */
const ended = <A>(
  steps: Steps<A>,
  {
    objects = new Map(),
    first = null,
    isTaken = () => false,
    roles = new Map(),
    changedBy = new Map(),
  }: Others,
): { readonly outcome: A; readonly questions: readonly Question['about'][] } => {
  const questions: Question['about'][] = []
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { outcome: step.value, questions }
    const question = step.value
    if (question === undefined) continue
    questions.push(question.about)
    if (question.about === 'objects')
      question.answer(typeof objects === 'function' ? objects(question.lookups) : objects)
    if (question.about === 'first') question.answer(first)
    if (question.about === 'roles') question.answer(roles)
    if (question.about === 'taken') question.answer(new Set(question.states.filter(isTaken)))
    if (question.about === 'changes') question.answer(changedBy)
  }
}

/** What becomes of a write, and the questions that its decision has. */
export const decided = (
  resource: DeclaredResource,
  sent: WriteCommand,
  others: Others = {},
  writer: Writer = sent,
): { readonly outcome: Either<AnyProblem, Decision>; readonly questions: readonly Question['about'][] } =>
  ended(decideWrite(resource, { ...sent, role: writer.role, user: writer.user }), others)

/** The state that a write stores; throws if it stores none. */
export const stateAfter = (
  resource: DeclaredResource,
  sent: WriteCommand,
  others: Others = {},
): JsonObject => {
  const { outcome } = decided(resource, sent, others)
  if (E.isLeft(outcome)) throw new Error(`the write is refused: ${JSON.stringify(outcome.left)}`)
  return outcome.right.state
}

/** The messages of the faults for which a write is refused, by path; none if it is accepted, or refused otherwise. */
export const faultsAfter = (
  resource: DeclaredResource,
  sent: WriteCommand,
  others: Others = {},
): Readonly<Record<string, string>> => {
  const { outcome } = decided(resource, sent, others)
  return E.isLeft(outcome) && outcome.left._tag === 'BadParameters' ? messages(outcome.left.faults) : {}
}

/** What a command has besides what is sent, as far as it is no default. */
type Circumstances = Partial<Pick<WriteCommand, 'now' | 'settings' | 'strict' | 'id' | 'role' | 'user'>>

/** The command of one write; time, settings and the rest have defaults. */
export const command = (
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null = null,
  circumstances: Circumstances = {},
): WriteCommand => ({
  mode,
  id: objectId,
  input,
  previous,
  now,
  role: 'admin',
  user: null,
  settings: withAddon,
  streamingHosts: valueContext.streamingHosts,
  strict: valueContext.strict,
  ...circumstances,
})

/** The draft of a write with its faults, and the state that follows from the command alone. */
export const write = (
  resource: DeclaredResource,
  sent: WriteCommand,
): { readonly draft: Draft; readonly state: JsonObject } => {
  const draft = draftWrite(resource, sent)
  const steps = completeWrite(resource, draft.state, { ...sent, supplied: draft.supplied })
  return { draft, state: atOnce(steps) }
}

/** The state that a PUT of a new object stores, if every reference in it is right; throws if the input has other faults. */
export const storedState = (resource: DeclaredResource, input: JsonObject): JsonObject =>
  stateAfter(resource, command('put', input), { objects: whateverIsReferredTo })

// One write, in the words given and when: what becomes of it is the result, which any library of assertions compares.

/** What is sent. */
type Sent = { readonly mode: WriteMode; readonly input: JsonObject }

export const put = (input: JsonObject): Sent => ({ mode: 'put', input })
export const patch = (input: JsonObject): Sent => ({ mode: 'patch', input })

/** What becomes of a write. */
export type Result = {
  /** The state that is stored; null if none is. */
  readonly state: JsonObject | null
  /** What the write means; null if nothing is stored, or nothing changes. */
  readonly effects: Effects | null
  readonly problem: AnyProblem | null
  /** The messages of all faults, by path. */
  readonly faults: Readonly<Record<string, string>>
}

type Given = Circumstances & {
  /** Who writes, and is the creator of what is given; an admin by default. */
  readonly by?: Writer
  /** The other objects; by default every object that is referred to exists. */
  readonly others?: Others
}

/** An object with changes that are not published. */
type GivenDraft = {
  /** What becomes of the object when its draft is published, after this change of the object by somebody else. */
  readonly whenPublished: (change?: Sent) => Result
}

type GivenObject = {
  /** What becomes of a write of it. */
  readonly when: (sent: Sent) => Result
  /** What becomes of it when it gets its state again after this change. */
  readonly whenRestored: (change: Sent) => Result
  /** It with a draft that has these changes. */
  readonly draft: (changes: Sent) => GivenDraft
}

/**
 * An object as a PUT of this input stores it, or none. Throws an Error if the input, or a change before what is tested, has
 * faults.
 */
export const given = (
  resource: DeclaredResource,
  stored: JsonObject | null,
  { by = { role: 'admin', user: null }, others = {}, ...circumstances }: Given = {},
): GivenObject => {
  const around: Others = { objects: whateverIsReferredTo, ...others }
  const who = { ...circumstances, role: by.role, user: by.user }
  const asAdmin = { ...who, role: 'admin' } as const
  const previous =
    stored === null ? null : stateAfter(resource, command('put', stored, null, asAdmin), around)

  const object = (): JsonObject => {
    if (previous === null) throw new Error('there is no object')
    return previous
  }
  const changed = (change: Sent | undefined): JsonObject =>
    change === undefined
      ? object()
      : stateAfter(resource, command(change.mode, change.input, object(), asAdmin), around)
  const resultOf = (steps: Steps<Either<AnyProblem, Decision>>): Result => {
    const { outcome } = ended(steps, around)
    if (E.isRight(outcome)) return { ...outcome.right, problem: null, faults: {} }
    const problem = outcome.left
    const faults = problem._tag === 'BadParameters' ? messages(problem.faults) : {}
    return { state: null, effects: null, problem, faults }
  }
  /** What a decision about an object with an earlier state, or a draft, is about. */
  const subject = (state: JsonObject) => command('patch', {}, state, who)

  return {
    when: ({ mode, input }) => resultOf(decideWrite(resource, command(mode, input, previous, who))),
    whenRestored: (change) =>
      resultOf(decideRestore(resource, { ...subject(changed(change)), earlier: object(), withData: null })),
    draft: ({ mode, input }) => {
      const shape = draftShapeOf(resource)
      const [version, before] = [1, emptyDraft(1)]
      const drafted = draftState(resource, object(), before)
      const sent = { ...command(mode, input, drafted, who), previous: drafted }
      const { outcome } = ended(decideDraftChange(shape, { ...sent, object: object(), version }), around)
      if (E.isLeft(outcome)) throw new Error(`the draft is refused: ${JSON.stringify(outcome.left)}`)
      const draft = draftAfter(resource, {
        object: object(),
        version,
        before,
        after: outcome.right,
        now: sent.now,
        user: who.user,
      })
      return {
        whenPublished: (change) =>
          resultOf(decidePublication(resource, { ...subject(changed(change)), draft })),
      }
    },
  }
}
