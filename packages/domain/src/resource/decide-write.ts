/**
 * What becomes of a write, as one pure function: `decideWrite` yields what it has to know of other documents, and ends
 * in the state to store with what that means, or in the reason why nothing is stored (docs/behaviour/writing.md).
 */
import { type JsonObject, jsonEqual } from '../json.js'
import { type Problem, fault, firstPerPath, type Fault, badParameters } from '../fault.js'
import type { DeclaredResource, Change } from './resource.js'
import { attributeIn, attributesOf, tableEntries } from './attribute-tables.js'
import { mayActAs, type Role } from '../role/permissions.js'
import type { Reference } from '../value/value-type.js'
import { type ItemsDraft, suppliedReferences, type Draft } from './draft-attributes.js'
import { resourceOf } from './resources.js'
import { findAmong, isAliveIn, type FoundObjects, type Lookup } from './read-plan.js'
import { E, type Either } from '../fp.js'
import { withEarlierPaths } from '../paths/path-history.js'
import { pathLookups, placeAttributes, type PathRule } from '../paths/public-path.js'
import { urlnamesFor } from '../paths/urlnames.js'
import {
  completeWrite,
  draftWrite,
  restoredDraft,
  withTouched,
  writeProblem,
  type RestoreCommand,
  type WriteCommand,
} from './draft-write.js'
import { withComputed } from './with-computed.js'
import { effectsOf, hasOtherPath, needsTarget, placeholderOf, type Effects } from './effects.js'
import type { Filter, Order } from './filter.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'

// Which objects a write may refer to (docs/behaviour/writing.md#references).

const article = { image: 'an image', audio: 'an audio file' } as const

/** The message for a reference to an object that does not exist. */
export const missingTarget = ({ name }: Pick<DeclaredResource, 'name'>): string =>
  `names no ${name} of this instance`

const messageFor = ({ collection, media }: Reference): string =>
  media === undefined
    ? missingTarget(resourceOf(collection) ?? { name: collection.replace(/s$/, '') })
    : `names no file of this instance that has ${article[media]} as its data`

/** A fault for each reference to an object that was not found, or to a file of the wrong kind. */
const referenceFaults = (references: readonly Reference[], found: FoundObjects): readonly Fault[] => {
  const isAlive = isAliveIn(findAmong(found))
  return references
    .filter((each) => !isAlive(each))
    .map((each) => fault(each.path, 'reference', messageFor(each)))
}

/** Every fault of a draft: those of its values first, then those of its references. */
export const draftFaults = (
  { faults, references }: Pick<ItemsDraft, 'faults' | 'references'>,
  found: FoundObjects,
): readonly Fault[] => firstPerPath([...faults, ...referenceFaults(references, found)])

/** Something that a decision has to know. Whoever runs it calls `answer` before it goes on. */
export type Question =
  /** The objects that look-ups lead to, as far as they exist and the writer may see them. */
  | {
      readonly about: 'objects'
      readonly lookups: readonly Lookup[]
      readonly answer: (found: FoundObjects) => void
    }
  /** The first object of the collection that meets filters, in an order; null if there is none. */
  | {
      readonly about: 'first'
      readonly where: readonly Filter[]
      readonly order: readonly Order[]
      readonly answer: (found: JsonObject | null) => void
    }
  /** Which of these states of the object have the unique attribute, or the public path, of another object. */
  | {
      readonly about: 'taken'
      readonly states: readonly JsonObject[]
      readonly answer: (taken: ReadonlySet<JsonObject>) => void
    }
  /** The strongest role on the instance of each of these API users that edits it. */
  | {
      readonly about: 'roles'
      readonly users: readonly string[]
      readonly answer: (roles: ReadonlyMap<string, Role>) => void
    }
  /**
   * Which API users have changed each of these values of the object since it was this one; null for the service. Without an
   * entry for what is not known any more.
   */
  | {
      readonly about: 'changes'
      readonly since: JsonObject
      readonly answer: (users: ReadonlyMap<string, ReadonlySet<string | null>>) => void
    }

/** The steps of a decision: what it has to know, or undefined where a long computation lets others run. */
export type Steps<A> = Generator<Question | undefined, A, void>

function* objectsOf(lookups: readonly Lookup[]): Steps<FoundObjects> {
  let objects: FoundObjects = new Map()
  yield { about: 'objects', lookups, answer: (found) => (objects = found) }
  return objects
}

function* firstOf(where: readonly Filter[], order: readonly Order[]): Steps<JsonObject | null> {
  let first: JsonObject | null = null
  yield { about: 'first', where, order, answer: (found) => (first = found) }
  return first
}

/** A fault for each API user that the draft names anew and that lacks the role that the attribute needs. */
function* userFaults(
  resource: DeclaredResource,
  { state, supplied, faults }: Draft,
  previous: JsonObject | null,
): Steps<readonly Fault[]> {
  const named: { readonly name: string; readonly user: string; readonly least: Role }[] = []
  for (const [name, { userWith: least }] of tableEntries(resource.attributes).users)
    if (
      least !== undefined &&
      supplied.has(name) &&
      state[name] !== (previous?.[name] ?? null) &&
      faults.every(({ path }) => path !== name)
    )
      named.push({ name, user: String(state[name]), least })
  if (named.length === 0) return []
  let roles: ReadonlyMap<string, Role> = new Map()
  const users = named.map(({ user }) => user)
  yield { about: 'roles', users, answer: (found) => (roles = found) }
  return named.flatMap(({ name, user, least }) => {
    const role = roles.get(user)
    const message = `names no API user with the role ${least} or a stronger one on this instance`
    return role !== undefined && mayActAs(role, least) ? [] : [fault(name, 'reference', message)]
  })
}

/** Which of these states have the unique attribute, or the public path, of another object. */
export function* takenAmong(states: readonly JsonObject[]): Steps<ReadonlySet<JsonObject>> {
  let among: ReadonlySet<JsonObject> = new Set()
  yield { about: 'taken', states, answer: (taken) => (among = taken) }
  return among
}

/** The fault of a state whose unique attribute, or public path, another object has. */
export const takenFault = (resource: DeclaredResource, state: JsonObject): Fault => {
  const rule = resource.unique?.(state)
  return fault(rule?.attribute ?? 'urlname', 'taken', rule?.message ?? 'urlname is taken')
}

/**
 * The state of a draft without a fault, references and urlname included; else all its faults together
 * (docs/behaviour/writing.md#all-faults).
 */
export function* validState(
  resource: DeclaredResource,
  draft: Draft,
  change: Change,
): Steps<Either<Problem, JsonObject>> {
  const { state, supplied } = draft
  const references = suppliedReferences(resource, draft)
  const decoded = [...draft.faults, ...(yield* userFaults(resource, draft, change.previous))]
  if (references.length === 0 && decoded.length === 0 && resource.visibleWith === undefined)
    return E.right(state)
  const found = yield* objectsOf(references.map((reference) => ({ reference })))
  const faults = draftFaults({ faults: decoded, references }, found)
  if (faults.length === 0) {
    const derived = resource.visibleWith?.derive(state, change, findAmong(found)) ?? E.right(state)
    return E.isLeft(derived) ? E.left(badParameters(derived.left)) : derived
  }
  // Storing would find it too; it is looked up only to be reported with the other faults.
  const unique = resource.unique?.(state) ?? null
  const isTaken =
    unique !== null && supplied.has(unique.attribute ?? 'urlname') && (yield* takenAmong([state])).size > 0
  return E.left(badParameters(isTaken ? [...faults, takenFault(resource, state)] : faults))
}

/** Whether a draft has no urlname, so that one is made from its title (docs/behaviour/writing.md#urlname-from-title). */
export const lacksUrlname = ({ attributes }: DeclaredResource, state: JsonObject): boolean => {
  const { urlname } = attributes
  return (
    urlname?.kind === 'stored' &&
    urlname.madeFrom !== undefined &&
    attributeIn(placeAttributes, 'urlname', state) === null
  )
}

/**
 * The state with the first urlname of its title that no other object has
 * (docs/behaviour/writing.md#urlname-from-title).
 */
function* withFreeUrlname(resource: DeclaredResource, state: JsonObject): Steps<JsonObject> {
  for (let batch = 0; ; batch += 1) {
    const named = urlnamesFor(resource, state, batch).map((urlname) => ({ ...state, urlname }))
    const taken = yield* takenAmong(named)
    const free = named.find((each) => !taken.has(each))
    if (free !== undefined) return free
  }
}

/** The state with the path that it had before among its earlier ones (docs/behaviour/paths.md#recorded-paths). */
function* withRecordedPath(
  resource: DeclaredResource,
  path: PathRule,
  before: JsonObject,
  state: JsonObject,
): Steps<JsonObject> {
  const found = yield* objectsOf([...pathLookups(path, before), ...pathLookups(path, state)])
  return withComputed(resource, withEarlierPaths(path, before, state, findAmong(found)))
}

/** What becomes of a write: the state to store and what it means; the previous state and null if nothing changes. */
export type Decision = { readonly state: JsonObject; readonly effects: Effects | null }

/** What becomes of a write that leads to this state, which is valid. */
export const decisionFor = (
  resource: DeclaredResource,
  change: Pick<Change, 'previous' | 'now' | 'role' | 'user'>,
  completed: JsonObject,
): Either<Problem, Decision> => {
  const { previous, now } = change
  if (previous !== null && jsonEqual(previous, completed)) return E.right({ state: previous, effects: null })
  const state = withTouched(resource, completed, now)
  const problem = writeProblem(resource, change, { before: previous, after: state })
  return problem === null
    ? E.right({ state, effects: effectsOf(resource, previous, state) })
    : E.left(problem)
}

/** Decides on a draft. */
function* decideDraft(
  resource: DeclaredResource,
  draft: Draft,
  change: Change,
): Steps<Either<Problem, Decision>> {
  const { previous } = change
  const { path } = resource
  const valid = yield* validState(resource, draft, change)
  if (E.isLeft(valid)) return valid
  let state = valid.right
  const sibling = resource.siblingDefault?.(state, change) ?? null
  if (sibling !== null) state = sibling.apply(yield* firstOf(sibling.where, sibling.order))
  if (previous === null && lacksUrlname(resource, state)) state = yield* withFreeUrlname(resource, state)
  state = yield* completeWrite(resource, state, change)
  if (path !== undefined && previous !== null && hasOtherPath(path, previous, state))
    state = yield* withRecordedPath(resource, path, previous, state)
  return decisionFor(resource, change, state)
}

/**
 * Decides on one write of an object. Ends in what becomes of it, or in a problem: all faults at once, or that the writer
 * may not make this change.
 */
export const decideWrite = (
  resource: DeclaredResource,
  command: WriteCommand,
): Steps<Either<Problem, Decision>> => {
  const draft = draftWrite(resource, command)
  return decideDraft(resource, draft, { ...command, supplied: draft.supplied })
}

/**
 * The same for a write that gives an object an earlier state again (docs/behaviour/history.md#restore). References that may
 * lead to deleted objects may do so again, and API users may have lost their roles.
 */
export const decideRestore = (
  resource: DeclaredResource,
  command: RestoreCommand,
  mode: Change['mode'] = 'restore',
): Steps<Either<Problem, Decision>> => {
  const draft = restoredDraft(resource, command)
  const table = attributesOf(resource, draft.state)
  const isChecked = (name: string): boolean => {
    const attribute = table[name]
    return (
      attribute?.kind !== 'stored' ||
      (attribute.type.references === undefined && attribute.userWith === undefined) ||
      needsTarget(resource, name)
    )
  }
  const checked = { ...draft, supplied: new Set([...draft.supplied].filter(isChecked)) }
  return decideDraft(resource, checked, { ...command, mode, supplied: draft.supplied })
}

// What becomes of a removal (docs/behaviour/writing.md#in-use).

/** Why an object with this id is never removed, whether or not it exists; null if it can be. */
export const preventionOf = ({ given }: DeclaredResource, id: string): Problem<'MethodNotAllowed'> | null => {
  const hint = given?.kept[id]
  return hint === undefined
    ? null
    : { _tag: 'MethodNotAllowed', allowed: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'], hint }
}

/** The object is removed, or a placeholder takes its place: the state to store, null if it is one already. */
export type Removal =
  { readonly how: 'removed' } | { readonly how: 'replaced'; readonly state: JsonObject | null }

/** What becomes of an object that is removed while something refers to it, by the name of that; null if nothing does. */
export const decideRemoval = (
  resource: DeclaredResource,
  state: JsonObject,
  referredToBy: string | null,
  now: NaiveDateTime,
): Either<Problem<'InUse'>, Removal> => {
  const placeholder = placeholderOf(resource)?.by
  if (referredToBy === null) return E.right({ how: 'removed' })
  if (placeholder === undefined) return E.left({ _tag: 'InUse', by: referredToBy })
  return E.right({
    how: 'replaced',
    state: placeholder.is(state) ? null : withComputed(resource, placeholder.of(state, now)),
  })
}
