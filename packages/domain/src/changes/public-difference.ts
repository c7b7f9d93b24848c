/**
 * Whether the public sees a difference between two states of an object that it sees (docs/behaviour/changes.md#hidden-parts): tags
 * that are not approved, links to drafts, and attributes of stronger roles are no part of what it reads.
 */
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import type { Attribute } from '../resource/attribute.js'
import { attributesOf, tableEntries } from '../resource/attribute-tables.js'
import { formerValues } from '../resource/draft-write.js'
import { isAliveIn, readPlan, viewOf, type Lookup } from '../resource/read-plan.js'
import type { DeclaredResource } from '../resource/resource.js'
import { touchedAttributes } from '../resource/standard-attributes.js'
import type { Links, ViewContext, Viewer } from '../resource/view-context.js'
import type { Reference } from '../value/value-type.js'

/** A difference that the public may not see. */
export type UncertainDifference = {
  /** The objects that decide on it. */
  readonly lookups: readonly Lookup[]
  /** Whether the public sees it, with those of these objects that it sees. */
  readonly isSeen: (find: ViewContext['find']) => boolean
}

/** Whether a value is returned as it is stored, to all roles that read it: in the object, or as a part of it. */
const isPlain = (attribute: Attribute | undefined): boolean => {
  if (attribute?.kind !== 'stored' || attribute.type.references !== undefined) return false
  if (attribute.internal === true) return attribute.type.resolve === undefined
  return attribute.writeOnly !== true && attribute.visibleTo === undefined && attribute.addon === undefined
}

/** The attributes that clients and the service have changed, without those that follow from others or say when it was. */
const changedNames = (resource: DeclaredResource, before: JsonObject, after: JsonObject): readonly string[] =>
  Object.keys(formerValues(before, after)).filter(
    (name) => resource.attributes[name]?.kind !== 'computed' && !Object.hasOwn(touchedAttributes, name),
  )

/** The parts of an object that its view does not contain, by name. */
const partsOf = (resource: DeclaredResource, state: JsonObject) =>
  tableEntries(attributesOf(resource, state)).stored.flatMap(([name, { internal, initial = null, type }]) =>
    internal === true && !Object.hasOwn(touchedAttributes, name)
      ? [{ name, value: state[name] ?? initial, resolve: type.resolve }]
      : [],
  )

/** The objects on which it depends how parts are returned. */
const referencesOf = (resource: DeclaredResource, state: JsonObject): readonly Reference[] => {
  const references: Reference[] = []
  for (const { value, resolve } of partsOf(resource, state))
    resolve?.(value, (reference) => {
      references.push(reference)
      return true
    })
  return references
}

/** Addresses that differ where those of the service do. */
const comparedLinks: Links = {
  root: '/',
  collection: (...named) => JSON.stringify(named),
  object: (...named) => JSON.stringify(named),
  slot: (...named) => JSON.stringify(named),
  draftSlot: (...named) => JSON.stringify(named),
  tagging: (...named) => JSON.stringify(named),
  draftTagging: (...named) => JSON.stringify(named),
  download: (...named) => JSON.stringify(named),
  defaultThumbnail: (...named) => JSON.stringify(named),
}

/** What a viewer reads of an object and its parts, except for when it was changed. */
const reading = (resource: DeclaredResource, state: JsonObject, view: ViewContext): JsonObject => {
  const { modified: _time = null, ...shown } = viewOf(resource, state, view)
  const isAlive = isAliveIn(view.find)
  const parts = partsOf(resource, resource.redact?.(state, view) ?? state).map(
    ({ name, value, resolve }): readonly [string, Json] => [name, resolve?.(value, isAlive) ?? value],
  )
  return { shown, parts: Object.fromEntries(parts) }
}

/**
 * A difference between two states of an object that the public may not see; null if it sees it for certain. A time of the change
 * that was sent alone is seen.
 */
export const uncertainDifference = (
  resource: DeclaredResource,
  before: JsonObject,
  after: JsonObject,
  { now, settings }: Pick<Viewer, 'now' | 'settings'>,
): UncertainDifference | null => {
  const viewer = { role: 'public_user', now, settings } as const
  const names = changedNames(resource, before, after).filter((name) => name !== 'modified')
  if (names.length === 0) return null
  const [shownBefore, shownAfter] = [before, after].map((state) => resource.redact?.(state, viewer) ?? state)
  const differs = (name: string): boolean =>
    !jsonEqual(shownBefore?.[name] ?? null, shownAfter?.[name] ?? null)
  if (names.some((name) => isPlain(resource.attributes[name]) && differs(name))) return null
  const plan = readPlan(resource, viewer)
  return {
    lookups: [before, after].flatMap((state) => [
      ...plan.lookups(state),
      ...referencesOf(resource, state).map((reference) => ({ reference })),
    ]),
    isSeen: (find) => {
      const view: ViewContext = {
        ...viewer,
        id: '',
        links: comparedLinks,
        canScale: () => true,
        find,
        count: () => 0,
      }
      return !jsonEqual(reading(resource, before, view), reading(resource, after, view))
    },
  }
}
