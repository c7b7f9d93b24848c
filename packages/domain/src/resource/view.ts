import { fileDataAttributes } from '../file/file-data.js'
import { jsonBytes, type Json, type JsonObject } from '../json.js'
import { mayActAs } from '../role/role.js'
import type { IsAlive, Reference } from '../value/value-type.js'
import type { StoredAttribute } from './attribute.js'
import { partOf, tableEntries, type ShownAttribute } from './table-entries.js'
import { attributesOf, type Shape } from './variant.js'
import type { Count, View, Viewer } from './view-context.js'

/** Whether the target of a reference exists, is visible to the role and has the right kind. */
export const isAliveIn =
  (find: View['find']): IsAlive =>
  ({ collection, id, media }) => {
    const state = find(collection, id)
    if (state === undefined || media === undefined) return state !== undefined
    return partOf(fileDataAttributes, state).mimetype?.startsWith(`${media}/`) === true
  }

/** Whether objects on this instance have the attribute. */
const isOn = ({ addon }: ShownAttribute, { settings }: Viewer): boolean =>
  addon !== true || settings.directory_addon

const isVisible = ({ visibleTo }: ShownAttribute, { role }: Viewer): boolean =>
  visibleTo === undefined || mayActAs(role, visibleTo)

/** The value of a stored attribute for a viewer, with references to deleted objects; null if the viewer may not see it. */
export const revealedValue = (
  shape: Shape,
  name: string,
  attribute: StoredAttribute,
  state: JsonObject,
  viewer: Viewer,
): Json => {
  if (!isOn(attribute, viewer) || !isVisible(attribute, viewer)) return null
  return (shape.redact?.(state, viewer) ?? state)[name] ?? attribute.initial ?? null
}

const readAttribute = (name: string, attribute: ShownAttribute, state: JsonObject, view: View): Json => {
  if (!isVisible(attribute, view)) return null
  if (attribute.kind === 'derived') return attribute.derive(state, view)
  if (attribute.kind === 'alias') return attribute.derive(state)
  const stored = state[name]
  const value = stored === undefined ? (attribute.initial ?? null) : stored
  return value === null || attribute.type.resolve === undefined
    ? value
    : attribute.type.resolve(value, isAliveIn(view.find))
}

/**
 * The object as one role reads it: the named attributes, null if the role may not see them; every attribute of its variant in
 * the table's order if no names are passed. Sparse attributes are left out while they are null.
 */
export const viewOf = (
  shape: Shape,
  state: JsonObject,
  view: View,
  names: readonly string[] = tableEntries(attributesOf(shape, state)).single,
): JsonObject => {
  const object: Record<string, Json> = {}
  const { shown } = tableEntries(attributesOf(shape, state))
  const revealed = shape.redact?.(state, view) ?? state
  for (const name of names) {
    const attribute = shown.get(name)
    if (attribute === undefined || !isOn(attribute, view)) continue
    const value = readAttribute(name, attribute, revealed, view)
    if (value !== null || attribute.sparse !== true) object[name] = value
  }
  return object
}

/** The names of the attributes that an included object has (docs/behaviour/collections.md#include). */
export const includedNamesOf = (shape: Shape, state: JsonObject): readonly string[] =>
  tableEntries(attributesOf(shape, state)).light

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
  const { shown } = tableEntries(attributesOf(shape, state))
  const revealed = shape.redact?.(state, view) ?? state
  const row: Json[] = []
  for (const name of names) {
    const first = names.indexOf(name)
    const attribute = shown.get(name)
    if (first < row.length) row.push(row[first] ?? null)
    else
      row.push(
        attribute !== undefined && isOn(attribute, view)
          ? readAttribute(name, attribute, revealed, view)
          : null,
      )
  }
  return row
}

/**
 * How many bytes a row has as JSON, with the comma after it, by the bytes of its values. A value that is repeated is
 * measured once.
 */
export const rowBytes = (
  names: readonly string[],
  row: readonly Json[],
  ofValue: (value: Json) => number = jsonBytes,
): number => {
  const sizes: number[] = []
  names.forEach((name, index) => {
    const first = names.indexOf(name)
    sizes.push(first < index ? (sizes[first] ?? 0) : ofValue(row[index] ?? null) + 1)
  })
  return sizes.reduce((sum, size) => sum + size, 2)
}

/** A reference that a view needs, and the reference attribute to follow repeatedly from its target. */
export type Lookup = { readonly reference: Reference; readonly chain?: string }

/** The look-ups that the named attributes of a state need; all attributes if no names are passed. */
export const lookupsOf = (shape: Shape, state: JsonObject, names?: readonly string[]): readonly Lookup[] => {
  const { referring, single } = tableEntries(attributesOf(shape, state))
  const lookups: Lookup[] = []
  for (const name of names ?? single) {
    const found = referring.get(name)
    if (found === undefined) continue
    const { sources, chain, alsoReads } = found
    const add = (reference: Reference) =>
      lookups.push(chain === undefined ? { reference } : { reference, chain })
    const before = lookups.length
    for (const [source, { type }] of sources) {
      const value = state[source] ?? null
      if (value !== null) type.references?.(value).forEach(add)
    }
    if (lookups.length > before && alsoReads !== undefined) add(alsoReads)
  }
  return lookups
}

/** The counts that the named attributes read; all attributes if no names are passed. */
export const countsOf = ({ attributes }: Shape, names?: readonly string[]): readonly Count[] => {
  const { counting } = tableEntries(attributes)
  return names === undefined ? [...counting.values()] : names.flatMap((name) => counting.get(name) ?? [])
}

/** The collections that views of a shape read. */
export const targetsOf = (shape: Shape): readonly string[] => [
  ...new Set(
    Object.values(shape.attributes).flatMap((attribute) => {
      if (attribute.kind === 'stored') return attribute.type.targets ?? []
      if (attribute.kind !== 'derived') return []
      return [attribute.alsoReads, attribute.counts].flatMap((each) =>
        each === undefined ? [] : [each.collection],
      )
    }),
  ),
]
