import { fileDataAttributes } from '../file/file-data.js'
import { jsonBytes, type Json, type JsonObject } from '../json.js'
import { mayActAs } from '../role/role.js'
import type { IsAlive, Reference } from '../value/value-type.js'
import type { Attribute, AttributeTable } from './attribute.js'
import { partOf } from './table-entries.js'
import { attributesOf, type Shape } from './variant.js'
import type { Count, View } from './view-context.js'

/** Whether the target of a reference exists, is visible to the role and has the right kind. */
export const isAliveIn =
  (find: View['find']): IsAlive =>
  ({ collection, id, media }) => {
    const state = find(collection, id)
    if (state === undefined || media === undefined) return state !== undefined
    return partOf(fileDataAttributes, state).mimetype?.startsWith(`${media}/`) === true
  }

/** Whether objects on this instance have the attribute. */
const isShown = (attribute: Attribute, { settings }: Pick<View, 'settings'>): boolean =>
  attribute.kind !== 'computed' &&
  !(attribute.kind === 'stored' && (attribute.internal || attribute.sentOnly)) &&
  (attribute.addon !== true || settings.directory_addon)

const readAttribute = (name: string, attribute: Attribute, state: JsonObject, view: View): Json => {
  if (attribute.kind === 'computed') return null
  if (attribute.visibleTo !== undefined && !mayActAs(view.role, attribute.visibleTo)) return null
  if (attribute.kind === 'derived') return attribute.derive(state, view)
  if (attribute.kind === 'alias') return attribute.derive(state)
  const stored = state[name]
  const value = stored === undefined ? (attribute.initial ?? null) : stored
  return value === null || attribute.type.resolve === undefined
    ? value
    : attribute.type.resolve(value, isAliveIn(view.find))
}

/** The object as one role reads it: every attribute of its variant in the table's order, null if the role may not see it. */
export const viewOf = (shape: Shape, state: JsonObject, view: View): JsonObject => {
  const shown: Record<string, Json> = {}
  const revealed = shape.reveal?.(state, view) ?? state
  for (const [name, attribute] of Object.entries(attributesOf(shape, state)))
    if (isShown(attribute, view)) shown[name] = readAttribute(name, attribute, revealed, view)
  return shown
}

/**
 * One row of a collection: the values of the named attributes, null if the variant does not have one or the role may
 * not see it. A repeated name is read once.
 */
export const rowOf = (
  shape: Shape,
  names: readonly string[],
  state: JsonObject,
  view: View,
): readonly Json[] => {
  const table = attributesOf(shape, state)
  const revealed = shape.reveal?.(state, view) ?? state
  const row: Json[] = []
  for (const name of names) {
    const first = names.indexOf(name)
    const attribute = table[name]
    if (first < row.length) row.push(row[first] ?? null)
    else
      row.push(
        attribute !== undefined && isShown(attribute, view)
          ? readAttribute(name, attribute, revealed, view)
          : null,
      )
  }
  return row
}

/** The length in bytes of a row as JSON, with the comma after it. A repeated value is measured once. */
export const rowBytes = (names: readonly string[], row: readonly Json[]): number => {
  const sizes: number[] = []
  names.forEach((name, index) => {
    const first = names.indexOf(name)
    sizes.push(first < index ? (sizes[first] ?? 0) : jsonBytes(row[index] ?? null) + 1)
  })
  return sizes.reduce((sum, size) => sum + size, 2)
}

/** A reference that a view needs, and the reference attribute to follow repeatedly from its target. */
export type Lookup = { readonly reference: Reference; readonly chain?: string }

const storedReferences = (table: AttributeTable, name: string, state: JsonObject): readonly Reference[] => {
  const attribute = table[name]
  const value = state[name] ?? null
  return attribute?.kind === 'stored' && value !== null ? (attribute.type.references?.(value) ?? []) : []
}

/** The look-ups that the named attributes of a state need; all attributes by default. */
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

/** The counts that the named attributes read; all attributes by default. */
export const countsOf = ({ attributes }: Shape, names?: readonly string[]): readonly Count[] =>
  (names ?? Object.keys(attributes)).flatMap((name) => {
    const attribute = attributes[name]
    return attribute?.kind === 'derived' && attribute.counts !== undefined ? [attribute.counts] : []
  })

/** The collections that views of a shape read. */
export const targetsOf = (shape: Shape): readonly string[] => [
  ...new Set(
    Object.values(shape.attributes).flatMap((attribute) => {
      if (attribute.kind === 'stored') return attribute.type.targets ?? []
      if (attribute.kind !== 'derived') return []
      return [attribute.beside, attribute.counts].flatMap((each) =>
        each === undefined ? [] : [each.collection],
      )
    }),
  ),
]
