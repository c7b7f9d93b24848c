import type { Json, JsonObject } from '../json.js'
import { mayActAs } from '../role/role.js'
import type { IsAlive, Reference } from '../value/value-type.js'
import type { Attribute, AttributeTable } from './attribute.js'
import { attributesOf, type Shape } from './variant.js'
import type { View } from './view-context.js'

/** Whether what a reference names exists, may be seen, and is of the right kind. */
export const isAliveIn =
  (find: View['find']): IsAlive =>
  ({ collection, id, media }) => {
    const state = find(collection, id)
    if (state === undefined) return false
    return (
      media === undefined ||
      (typeof state['mimetype'] === 'string' && state['mimetype'].startsWith(`${media}/`))
    )
  }

/** Whether this role, on this instance, has the attribute in its view. */
const isShown = (attribute: Attribute, { role, settings }: Pick<View, 'role' | 'settings'>): boolean =>
  attribute.kind !== 'computed' &&
  !(attribute.kind === 'stored' && attribute.internal) &&
  (attribute.visibleTo === undefined || mayActAs(role, attribute.visibleTo)) &&
  (attribute.addon === undefined || settings.directory_addon)

const readAttribute = (name: string, attribute: Attribute, state: JsonObject, view: View): Json => {
  if (attribute.kind === 'derived') return attribute.derive(state, view)
  if (attribute.kind === 'alias') return attribute.derive(state)
  if (attribute.kind === 'computed') return null
  const value = state[name] ?? attribute.initial ?? null
  return value === null || attribute.type.resolve === undefined
    ? value
    : attribute.type.resolve(value, isAliveIn(view.find))
}

/** The object as one role reads it: every attribute of its variant that the role may see, in the table's order. */
export const viewOf = (shape: Shape, state: JsonObject, view: View): JsonObject => {
  const shown: Record<string, Json> = {}
  const revealed = shape.reveal?.(state, view) ?? state
  for (const [name, attribute] of Object.entries(attributesOf(shape, state)))
    if (isShown(attribute, view)) shown[name] = readAttribute(name, attribute, revealed, view)
  return shown
}

/** One row of a collection: the values of the named attributes, null where the variant or the role lacks one. */
export const rowOf = (
  shape: Shape,
  names: readonly string[],
  state: JsonObject,
  view: View,
): readonly Json[] => {
  const table = attributesOf(shape, state)
  const revealed = shape.reveal?.(state, view) ?? state
  return names.map((name) => {
    const attribute = table[name]
    return attribute !== undefined && isShown(attribute, view)
      ? readAttribute(name, attribute, revealed, view)
      : null
  })
}

/** What has to be looked up for a view: references by attribute, and the attribute to follow on from there. */
export type Lookup = { readonly reference: Reference; readonly chain?: string }

const storedReferences = (table: AttributeTable, name: string, state: JsonObject): readonly Reference[] => {
  const attribute = table[name]
  const value = state[name] ?? null
  return attribute?.kind === 'stored' && value !== null ? (attribute.type.references?.(value) ?? []) : []
}

/** The look-ups that the named attributes of a state need; all attributes where no names are given. */
export const lookupsOf = (shape: Shape, state: JsonObject, names?: readonly string[]): readonly Lookup[] => {
  const table = attributesOf(shape, state)
  return (names ?? Object.keys(table)).flatMap((name) => {
    const attribute = table[name]
    if (attribute?.kind === 'derived') {
      const { chain, beside } = attribute
      const named = attribute.needs.flatMap((need) => storedReferences(table, need, state))
      return [...named, ...(named.length > 0 && beside !== undefined ? [beside] : [])].map((reference) =>
        chain === undefined ? { reference } : { reference, chain },
      )
    }
    return attribute?.kind === 'stored' && attribute.internal
      ? []
      : storedReferences(table, name, state).map((reference) => ({ reference }))
  })
}

/** The collections that views of a shape look into. */
export const targetsOf = (shape: Shape): readonly string[] => [
  ...new Set(
    Object.values(shape.attributes).flatMap((attribute) => {
      if (attribute.kind === 'stored') return attribute.type.targets ?? []
      return attribute.kind === 'derived' && attribute.beside !== undefined
        ? [attribute.beside.collection]
        : []
    }),
  ),
]
