/**
 * The draft of an object: changes of its attributes and parts that are not published (docs/behaviour/drafts.md). What is
 * shown and changed is the state of the object with them.
 */
import { badParameters, fault, type AnyProblem, type Fault, type Problem } from '../fault.js'
import { E, type Either } from '../fp.js'
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { integer, dateTime } from '../value/scalar.js'
import { apiUser } from '../value/text.js'
import { stored } from '../resource/attribute.js'
import {
  decideRestore,
  takenAmong,
  takenFault,
  validState,
  type Decision,
  type Steps,
} from '../resource/decide-write.js'
import { draftWrite, writeProblem, type RestoreCommand, type WriteCommand } from '../resource/draft-write.js'
import { withComputed } from '../resource/with-computed.js'
import { hasOtherPath } from '../resource/effects.js'
import { missedBecause, missedPublication } from './missed-publication.js'
import type { DeclaredResource, Resource } from '../resource/resource.js'
import { momentOf, reachedAt } from '../resource/standard-attributes.js'
import { attributeIn, partOf, tableEntries, attributesOf } from '../resource/attribute-tables.js'

/** What a draft has in addition to the attributes of its object. */
const ownAttributes = {
  based_on: stored(
    integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    'Version of the object that the draft was made of. Send the present version after the object has changed, to publish the changes of the draft nevertheless.',
    { retained: true, alwaysSet: true },
  ),
  draft_modified: stored(dateTime, 'When the draft was last changed.', { readOnly: true, alwaysSet: true }),
  draft_by: stored(apiUser, 'API user that changed the draft last; null for the service.', {
    readOnly: true,
  }),
  publish_at: stored(
    dateTime,
    'When the service publishes it, as the API user that set this; null if never.',
  ),
  publish_at_moment: momentOf('publish_at'),
  publish_by: stored(apiUser, 'API user that set when it is published.', { internal: true }),
  missed: stored(
    missedPublication,
    'The publication at its time that was refused last, until another time is set; null if none was.',
    { readOnly: true },
  ),
} as const

/** The changes of an object that are not published. */
export type ObjectDraft = {
  /** The values where the draft differs from the object. */
  readonly changes: JsonObject
  /** The values that the object had when each of them was first changed. */
  readonly base: JsonObject
  /** The values of what only drafts have. */
  readonly own: JsonObject
}

// Resources are declarations, so there are few.
const shapes = new WeakMap<DeclaredResource, DeclaredResource>()

/** A resource as its drafts are read and written: with what only drafts have. */
export function draftShapeOf(resource: Resource): Resource
export function draftShapeOf(resource: DeclaredResource): DeclaredResource
export function draftShapeOf(resource: DeclaredResource): DeclaredResource {
  let shape = shapes.get(resource)
  if (shape === undefined) {
    shape = { ...resource, attributes: { ...resource.attributes, ...ownAttributes } }
    shapes.set(resource, shape)
  }
  return shape
}

/** A draft without changes, of an object at a version. */
export const emptyDraft = (version: number): ObjectDraft => ({
  changes: {},
  base: {},
  own: { ...partOf(ownAttributes, {}), based_on: version },
})

/** The state of an object with the changes of its draft. */
export const draftState = (
  resource: DeclaredResource,
  object: JsonObject,
  { changes, own }: ObjectDraft,
): JsonObject => withComputed(resource, { ...object, ...changes, ...own }, object)

/** When a draft is to be published, as a text that sorts by time, and by which API user; null if at no time. */
export const publicationOf = ({
  own,
}: ObjectDraft): { readonly at: string; readonly by: string | null } | null => {
  const { publish_at, publish_at_moment, publish_by } = partOf(ownAttributes, own)
  const at = reachedAt(publish_at, publish_at_moment)
  return at === null ? null : { at, by: publish_by }
}

/** When the publication of a draft was missed, as a text that sorts by time; null if it was not. */
export const missedAt = ({ own }: Pick<ObjectDraft, 'own'>): string | null =>
  partOf(ownAttributes, own).missed?.publish_at ?? null

/** The draft after its publication at its time has ended in a problem: without the time, with what was missed and why. */
export const withMissed = ({ own, ...draft }: ObjectDraft, problem: AnyProblem): ObjectDraft => {
  const { publish_at } = partOf(ownAttributes, own)
  const missed = publish_at === null ? null : { publish_at, ...missedBecause(problem) }
  return { ...draft, own: { ...own, publish_at: null, publish_at_moment: null, publish_by: null, missed } }
}

/** The attributes and parts that a draft can change, with their defaults. */
const changeable = (resource: DeclaredResource, state: JsonObject): ReadonlyMap<string, Json> => {
  const { stored: all, draftable } = tableEntries(attributesOf(resource, state))
  return new Map(
    all.flatMap(([name, { initial = null }]) => (draftable.has(name) ? [[name, initial] as const] : [])),
  )
}

/** A change of a draft: of which object, what it was, and its new state. */
type DraftChange = {
  readonly object: JsonObject
  readonly version: number
  /** Null if there was no draft. */
  readonly before: ObjectDraft | null
  readonly after: JsonObject
  readonly now: NaiveDateTime
  readonly user: string | null
}

/** The draft with a new state. It is the same one if nothing has changed. */
export const draftAfter = (
  resource: DeclaredResource,
  { object, version, before, after, now, user }: DraftChange,
): ObjectDraft => {
  const own = partOf(ownAttributes, after)
  const former = before ?? emptyDraft(version)
  const isConfirmed = own.based_on !== former.own['based_on']
  const isTimed = own.publish_at !== former.own['publish_at']
  const changes: Record<string, Json> = {}
  const base: Record<string, Json> = {}
  for (const [name, initial] of changeable(resource, after)) {
    const [is, published] = [after[name] ?? initial, object[name] ?? initial]
    if (jsonEqual(is, published)) continue
    changes[name] = is
    // A value that the object has by now, because it was published, is what a further change is based on.
    const isRealized = isConfirmed || jsonEqual(former.changes[name] ?? null, published)
    base[name] = isRealized ? published : (former.base[name] ?? published)
  }
  const draft = { changes, base, own: isTimed ? { ...own, publish_by: user, missed: null } : own }
  return before !== null && jsonEqual(draft, before)
    ? before
    : { ...draft, own: { ...draft.own, draft_modified: now, draft_by: user } }
}

/** What remains of a draft that was changed while an earlier state of it was published: it is based on what that has published. */
export const remainingDraft = (draft: ObjectDraft, published: ObjectDraft): ObjectDraft => {
  const base = Object.entries(draft.base).map(([name, value]): [string, Json] => {
    const wasPublished = name in published.changes && jsonEqual(value, published.base[name] ?? null)
    return [name, wasPublished ? (published.changes[name] ?? null) : value]
  })
  return { ...draft, base: Object.fromEntries(base) }
}

/** The attributes and parts that differ from what the draft was made of, and from the draft. */
const conflictsOf = (
  resource: DeclaredResource,
  object: JsonObject,
  { changes, base }: ObjectDraft,
): readonly string[] => {
  const names = changeable(resource, object)
  return Object.keys(changes).filter((name) => {
    const initial = names.get(name) ?? null
    const published = object[name] ?? initial
    return !jsonEqual(published, base[name] ?? null) && !jsonEqual(published, changes[name] ?? null)
  })
}

/** A change of the attributes of a draft, whose state is `previous`. */
export type DraftCommand = Omit<WriteCommand, 'previous'> & {
  readonly previous: JsonObject
  /** The object, and its version. */
  readonly object: JsonObject
  readonly version: number
}

const basedOnFaults = (state: JsonObject, { previous, version }: DraftCommand): readonly Fault[] => {
  const [is, was] = [state, previous].map((each) => attributeIn(ownAttributes, 'based_on', each))
  return is === was || is === version
    ? []
    : [fault('based_on', 'rule', `must be the version of the object, ${version}, or as it was`)]
}

/** Whether another object can have the unique attribute, or the public path, of the draft. */
const isNamedAnew = (resource: DeclaredResource, object: JsonObject, state: JsonObject): boolean =>
  resource.uniqueText(object) !== resource.uniqueText(state) ||
  (resource.path !== undefined && hasOtherPath(resource.path, object, state))

/**
 * Decides on a change of the attributes of a draft by the rules of a write of its object. Ends in the state of the draft.
 * What follows from publication, such as `issued`, is decided then.
 */
export function* decideDraftChange(
  resource: DeclaredResource,
  command: DraftCommand,
): Steps<Either<Problem, JsonObject>> {
  const { previous, object } = command
  const draft = draftWrite(resource, command)
  const faults = [...draft.faults, ...basedOnFaults(draft.state, command)]
  const { supplied } = draft
  const valid = yield* validState(resource, { ...draft, faults }, { ...command, supplied })
  if (E.isLeft(valid)) return valid
  const state = withComputed(resource, valid.right, previous)
  const problem = writeProblem(resource, command, { before: object, after: state })
  if (problem !== null) return E.left(problem)
  return isNamedAnew(resource, object, state) && (yield* takenAmong([state])).size > 0
    ? E.left(badParameters([takenFault(resource, state)]))
    : E.right(state)
}

/** The conflict in these attributes, with those that nobody but the caller has changed. */
function* draftConflict(
  attributes: readonly string[],
  { base }: ObjectDraft,
  caller: string | null,
): Steps<Problem<'DraftConflict'>> {
  const since = Object.fromEntries(attributes.map((name) => [name, base[name] ?? null]))
  let changedBy: ReadonlyMap<string, ReadonlySet<string | null>> = new Map()
  yield { about: 'changes', since, answer: (users) => (changedBy = users) }
  const isOwn = (name: string): boolean => {
    const users = [...(changedBy.get(name) ?? [])]
    return users.length > 0 && users.every((user) => user !== null && user === caller)
  }
  return { _tag: 'DraftConflict', attributes, own: attributes.filter(isOwn) }
}

/**
 * Decides on the publication of a draft: the write of its changes to the object, whose other attributes stay as they are.
 */
export function* decidePublication(
  resource: DeclaredResource,
  { draft, ...command }: Omit<RestoreCommand, 'earlier' | 'withData'> & { readonly draft: ObjectDraft },
): Steps<Either<Problem<'DraftConflict'>, Decision>> {
  const object = command.previous ?? {}
  const attributes = conflictsOf(resource, object, draft)
  if (attributes.length > 0) return E.left(yield* draftConflict(attributes, draft, command.user))
  return yield* decideRestore(
    resource,
    { ...command, withData: null, earlier: { ...object, ...draft.changes } },
    'patch',
  )
}
