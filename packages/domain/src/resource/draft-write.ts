import { fault, forbidden, type Fault, type Problem } from '../fault.js'
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { permittedRoles, rolesFrom, unrestricted, type Role } from '../role/permissions.js'
import { parseUuid } from '../value/text.js'
import type { ValueContext } from '../value/value-type.js'
import type { AttributeTable } from './attribute.js'
import { type Draft, draftAttributes, type DraftInput } from './draft-attributes.js'
import type { Change, DeclaredResource } from './resource.js'
import { stamps } from './standard-attributes.js'
import { attributeIn, partOf, tableEntries, attributesOf } from './attribute-tables.js'
import type { InstanceRules } from './view-context.js'
import { withComputed } from './with-computed.js'
import { withUrlnames } from '../paths/urlnames.js'

/** The author of a write: the role on the instance, and the UUID of the API user; null for the service itself. */
export type Writer = { readonly role: Role; readonly user: string | null }

/** One write of an object: its state before, null for a creation, and after, null for a deletion. */
type ObjectWrite = { readonly before: JsonObject | null; readonly after: JsonObject | null }

const unrestrictedRoles = rolesFrom(unrestricted)

/**
 * Why the write is not permitted; null if it is. The permission matrix lists what each role may do. A contributor may
 * write only drafts that the same API user created, and may not publish them (docs/roles.md).
 */
export const writeProblem = (
  resource: Pick<DeclaredResource, 'collection' | 'isPublished'>,
  { role, user }: Writer,
  { before, after }: ObjectWrite,
): Problem | null => {
  const action = before === null ? 'create' : after === null ? 'remove' : 'update'
  const permitted = permittedRoles.get(resource.collection)
  const isSubmitted = before === null && permitted?.get('submit')?.has(role) === true
  if (!isSubmitted && permitted?.get(action)?.has(role) !== true) return forbidden
  if (unrestrictedRoles.has(role)) return null
  const isOwn = before === null || (user !== null && attributeIn(stamps, 'created_by', before) === user)
  const isPublished = [before, after].some(
    (state) => state !== null && resource.isPublished?.(state) === true,
  )
  if (!isOwn) return { _tag: 'Forbidden', reason: 'object of another' }
  return isPublished ? { _tag: 'Forbidden', reason: 'publication' } : null
}

/** One write of an object: what was sent, the previous state, and the context. */
export type WriteCommand = Omit<DraftInput, 'context'> &
  Writer & {
    readonly id: string
    readonly now: NaiveDateTime
    /** Date-times without an offset are in their time zone. */
    readonly settings: InstanceRules
    /** The hosts of videos and sound that media may name. */
    readonly streamingHosts: ValueContext['streamingHosts']
    /** Whether unknown names and tolerated values are faults. */
    readonly strict: boolean
  }

/** A `uuid` in the body must be that of the path (docs/behaviour/writing.md#body-uuid). */
export const bodyUuidFaults = (input: JsonObject, id: string): readonly Fault[] => {
  const { uuid: sent } = input
  if (sent === undefined || sent === null) return []
  return typeof sent === 'string' && parseUuid(sent) === id
    ? []
    : [fault('uuid', 'rule', `must be the UUID of the path, ${id}, or left out`)]
}

/** The faults of values that need the directory add-on, on an instance without it. */
const addonFaults = (
  table: AttributeTable,
  { state, supplied }: Draft,
  previous: JsonObject | null,
): readonly Fault[] =>
  [...supplied]
    .filter((name) => {
      const attribute = table[name]
      return (
        attribute?.kind === 'stored' &&
        attribute.addon !== undefined &&
        state[name] !== false &&
        state[name] !== null &&
        // The values that are returned without the add-on can be sent back.
        (attribute.addon === true || state[name] !== previous?.[name])
      )
    })
    .map((name) => fault(name, 'addon', 'needs the directory add-on, which this instance does not have'))

/** Without the add-on, its attributes are neither read nor written, so their values stay. */
const withAddonKept = (table: AttributeTable, state: JsonObject, previous: JsonObject | null): JsonObject => {
  const whole: Record<string, Json> = { ...state }
  for (const [name, { initial = null }] of tableEntries(table).addon)
    if (Object.hasOwn(state, name)) whole[name] = previous?.[name] ?? initial
  return whole
}

/** Computes the new state, with every fault that follows from the command alone. */
export const draftWrite = (resource: DeclaredResource, command: WriteCommand): Draft => {
  const { mode, input, previous, settings, streamingHosts, strict } = command
  const context = { zone: settings.timezone, streamingHosts, strict }
  const sent = { mode, input, previous, context }
  let draft = draftAttributes(resource, sent)
  // Most texts that are sent for urlnames are some.
  if (draft.faults.length > 0 && !strict)
    draft = draftAttributes(resource, { ...sent, input: withUrlnames(resource.attributes, sent) })
  const lacksAddon = !settings.directory_addon && tableEntries(resource.attributes).addon.length > 0
  const state = lacksAddon ? withAddonKept(resource.attributes, draft.state, previous) : draft.state
  const rules = resource.check?.(state, { ...command, supplied: draft.supplied }) ?? []
  const faults = [
    ...bodyUuidFaults(input, command.id),
    ...draft.faults,
    ...(lacksAddon ? addonFaults(resource.attributes, draft, previous) : []),
    ...rules,
  ]
  return { state, faults, supplied: draft.supplied, partial: draft.partial }
}

const stamp = (resource: DeclaredResource, state: JsonObject, change: Change): JsonObject => {
  const { previous, supplied, now, user } = change
  if (!Object.hasOwn(resource.attributes, 'modified')) return state
  const own = partOf(stamps, state)
  const isSent = supplied.has('modified')
  if (previous === null) {
    const modified = (isSent ? own.modified : null) ?? now
    return { ...state, created: own.created ?? now, created_by: own.created_by ?? user, modified }
  }
  const before = partOf(stamps, previous)
  // The time of creation is unknown if the stored object has none.
  const created = own.created ?? (before.created === null ? null : now)
  let isChanged = created !== before.created
  for (const [name, { initial = null }] of tableEntries(attributesOf(resource, state)).stored)
    if (!Object.hasOwn(stamps, name))
      // An attribute that the table has gained since is no change.
      isChanged ||= !jsonEqual(state[name] ?? null, previous[name] === undefined ? initial : previous[name])
  const modified = isChanged ? now : before.modified
  return { ...state, created, modified: isSent ? own.modified : modified }
}

/**
 * The state to store for a draft without faults: completed by the resource's rules, with stamps and computed keys. Yields
 * every few milliseconds.
 */
export function* completeWrite(
  resource: DeclaredResource,
  state: JsonObject,
  change: Change,
): Generator<undefined, JsonObject> {
  const steps = resource.complete?.(state, change) ?? state
  const completed = Symbol.iterator in steps ? yield* steps : steps
  return withComputed(resource, stamp(resource, completed, change), change.previous ?? undefined)
}

/** The result of steps that are carried out at once. */
export const atOnce = <A>(steps: Generator<undefined, A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The state of an object whose page shows something else from now on (docs/behaviour/changes.md#touched). */
export const withTouched = (
  { attributes }: Pick<DeclaredResource, 'attributes'>,
  state: JsonObject,
  now: NaiveDateTime,
): JsonObject => (Object.hasOwn(attributes, 'touched_at') ? { ...state, touched_at: now } : state)

// Earlier states of an object: what differs between two of them, and the draft that has one again (docs/behaviour/history.md).

/** The most characters of the JSON of a value that the record of a change shows. */
const longestShown = 300

const isShort = (value: Json): boolean => JSON.stringify(value).length <= longestShown

/** The values of a state where the next one differs: with them, the next one is that state again. */
export const formerValues = (before: JsonObject, after: JsonObject): JsonObject => {
  const former: Record<string, Json> = {}
  for (const name in before) {
    const { [name]: was = null } = before
    if (!jsonEqual(was, after[name] ?? null)) former[name] = was
  }
  for (const name in after) if (before[name] === undefined && after[name] !== null) former[name] = null
  return former
}

/** The state of an object with one earlier change of it undone. What others have changed since stays. */
export const withoutChange = (current: JsonObject, before: JsonObject, after: JsonObject): JsonObject => {
  const state: Record<string, Json> = { ...current }
  for (const [name, was] of Object.entries(formerValues(before, after)))
    if (jsonEqual(current[name] ?? null, after[name] ?? null)) state[name] = was
  return state
}

/**
 * The attributes that clients set among those that differ, by name, as the audit log shows them: with their values before
 * and after, or without, if one is long or a part of the object with a separate address; null if there are none
 * (docs/behaviour/administration.md#audit-log).
 */
export const attributeChanges = (
  resource: Pick<DeclaredResource, 'attributes' | 'variant'>,
  former: JsonObject,
  after: JsonObject,
): JsonObject | null => {
  const { clientSet } = tableEntries(attributesOf(resource, after))
  let changes: Record<string, Json> | null = null
  for (const name in former) {
    const attribute = clientSet.get(name)
    if (attribute === undefined || name === 'modified') continue
    const { initial = null, part } = attribute
    const [was, is] = [former[name] ?? initial, after[name] ?? initial]
    if (jsonEqual(was, is)) continue
    changes ??= {}
    changes[name] = part !== true && isShort(was) && isShort(is) ? { before: was, after: is } : {}
  }
  return changes
}

/** A write that gives an object an earlier state again. */
export type RestoreCommand = Pick<WriteCommand, 'id' | 'previous' | 'now' | 'role' | 'user' | 'settings'> & {
  /** The state that it had. */
  readonly earlier: JsonObject
  /** Gives the state the data of the earlier one; null if it keeps the data that it has. */
  readonly withData: ((state: JsonObject) => JsonObject) | null
}

/** Whether two states are of one object, and not of two that have had the same UUID. */
export const isSameObject = (one: JsonObject, other: JsonObject): boolean =>
  (['created', 'created_by'] as const).every(
    (name) => attributeIn(stamps, name, one) === attributeIn(stamps, name, other),
  )

/** Whether an object has the attributes and parts that clients set in an earlier state. */
export const hasEarlierState = (
  resource: DeclaredResource,
  current: JsonObject,
  earlier: JsonObject,
): boolean => {
  const { stored, draftable } = tableEntries(attributesOf(resource, earlier))
  return stored.every(
    ([name, { initial = null }]) =>
      !draftable.has(name) || jsonEqual(earlier[name] ?? initial, current[name] ?? initial),
  )
}

/**
 * The draft of an object with the attributes and parts that clients set in an earlier state. What the service sets, such
 * as the data of a file and the earlier paths, and what is no part of drafts stays as it is, or is as it was if the
 * object does not exist.
 */
export const restoredDraft = (resource: DeclaredResource, command: RestoreCommand): Draft => {
  const { earlier, previous, withData } = command
  const table = attributesOf(resource, earlier)
  const { stored, draftable, blank } = tableEntries(table)
  const state: Record<string, Json> = { ...blank }
  const supplied = new Set<string>()
  for (const [name, { initial = null }] of stored) {
    const isEarlier = previous === null || draftable.has(name)
    state[name] = (isEarlier ? earlier[name] : previous[name]) ?? initial
    if (!jsonEqual(state[name], previous?.[name] ?? initial)) supplied.add(name)
  }
  supplied.delete('modified')
  const faults = resource.check?.(state, { ...command, mode: 'put', supplied }) ?? []
  return { state: withData?.(state) ?? state, faults, supplied, partial: {} }
}
