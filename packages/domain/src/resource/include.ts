/** `include`: the objects that references name, returned with a page or an object (docs/behaviour/collections.md#include). */
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import { mayActAs, roleNeeded } from '../role/permissions.js'
import type { Reference } from '../value/value-type.js'
import type { AttributeTable, StoredAttribute } from './attribute.js'
import { readParameter, type Parameters } from './collection-filter.js'
import { resourceOf } from './resources.js'
import { tableEntries } from './table-entries.js'
import { attributesOf, type Shape } from './variant.js'
import type { Viewer } from './view-context.js'

export const includeLimits = {
  /** Maximum number of names in one parameter. */
  names: 20,
  /** Maximum number of included objects of a response. */
  objects: 2000,
  /** Maximum size of the included objects of a response together, in bytes of JSON. */
  bytes: 8 * 1024 * 1024,
} as const

/** The faults of an `include` that exceeds a limit. */
export const tooManyIncluded: readonly Fault[] = [
  fault(
    'include',
    'limit',
    `leads to more than ${includeLimits.objects} objects or ${includeLimits.bytes} bytes; name fewer, or request fewer rows`,
  ),
]

/** The names from an object to an included one, such as `section`, `parent`. */
export type IncludePath = readonly [string, ...string[]]

type Relation = { readonly attribute: string; readonly type: StoredAttribute }

const cache = new WeakMap<AttributeTable, ReadonlyMap<string, Relation>>()

const nameOf = (attribute: string, { internal, includedAs }: StoredAttribute): string | undefined =>
  internal ? includedAs : attribute.replace(/_uuid$/, '')

/**
 * The attributes of a table that refer to objects, by their names in `include`: `section` is `section_uuid`, `tags` are
 * those of the object.
 */
const relationsIn = (table: AttributeTable): ReadonlyMap<string, Relation> => {
  let relations = cache.get(table)
  if (relations === undefined) {
    relations = new Map(
      tableEntries(table).stored.flatMap(([attribute, type]): readonly [string, Relation][] => {
        const name = nameOf(attribute, type)
        const refers = (type.type.targets ?? []).length > 0
        return name === undefined || !refers ? [] : [[name, { attribute, type }]]
      }),
    )
    cache.set(table, relations)
  }
  return relations
}

const namesBelow = ({ type }: Relation): readonly string[] => [
  ...new Set(
    (type.type.targets ?? []).flatMap((target) => [
      ...relationsIn(resourceOf(target)?.attributes ?? {}).keys(),
    ]),
  ),
]

/** Whether objects with these attributes refer to others, so that `include` is a parameter. */
export const hasRelations = ({ attributes }: Pick<Shape, 'attributes'>): boolean =>
  relationsIn(attributes).size > 0

/** Every value that `include` accepts for objects with these attributes: names, and names of names. */
export const includeNamesOf = ({ attributes }: Pick<Shape, 'attributes'>): readonly string[] =>
  [...relationsIn(attributes)].flatMap(([name, relation]) => [
    name,
    ...namesBelow(relation).map((below) => `${name}.${below}`),
  ])

/** The paths that the parameter names, or what is accepted. */
export const parseInclude = (
  shape: Pick<Shape, 'attributes'>,
  text: string,
): Either<string, readonly IncludePath[]> => {
  const accepted = includeNamesOf(shape)
  const sent = text.split(/[-,]/)
  const names = [...new Set(sent)]
  const unknown = names.filter((name) => !accepted.includes(name))
  if (unknown.length > 0)
    return E.left(
      `unknown ${unknown.length === 1 ? 'name' : 'names'} ${unknown
        .slice(0, 5)
        .map((name) => `«${name.slice(0, 60)}»`)
        .join(', ')}; the names are ${accepted.join(', ')}`,
    )
  if (sent.length > includeLimits.names) return E.left(`must name at most ${includeLimits.names}`)
  return E.right(
    names.map((name): IncludePath => {
      const [first = '', ...further] = name.split('.')
      return [first, ...further]
    }),
  )
}

/** The paths that `include` names in the query of a single object, or its fault. */
export const parseIncludePaths = (
  shape: Pick<Shape, 'attributes'>,
  include: NonNullable<Parameters[string]>,
): Either<readonly Fault[], readonly IncludePath[]> =>
  readParameter('include', include, (text) => parseInclude(shape, text))

/** The attributes that paths start with. */
export const includedAttributesOf = (
  { attributes }: Pick<Shape, 'attributes'>,
  paths: readonly IncludePath[],
): readonly string[] => paths.flatMap(([name]) => relationsIn(attributes).get(name)?.attribute ?? [])

const mayRead = ({ role }: Viewer, collection: string): boolean => {
  const subject = resourceOf(collection)?.collection
  const needed = subject === undefined ? null : roleNeeded(subject, 'read')
  return needed !== null && mayActAs(role, needed)
}

/** The value of a stored attribute for a viewer, with references to deleted objects; null if the viewer may not see it. */
const revealedValue = (
  shape: Shape,
  name: string,
  { addon, visibleTo, initial }: StoredAttribute,
  state: JsonObject,
  viewer: Viewer,
): Json => {
  const isOn = addon !== true || viewer.settings.directory_addon
  if (!isOn || (visibleTo !== undefined && !mayActAs(viewer.role, visibleTo))) return null
  return (shape.redact?.(state, viewer) ?? state)[name] ?? initial ?? null
}

/** A reference that a path leads to, and the rest of the path. */
export type IncludedReference = { readonly reference: Reference; readonly further: IncludePath | null }

/** The references of a state at the start of paths, as far as the viewer may see them. */
export const includedReferences = (
  shape: Shape,
  state: JsonObject,
  viewer: Viewer,
  paths: readonly IncludePath[],
): readonly IncludedReference[] => {
  const relations = relationsIn(attributesOf(shape, state))
  return paths.flatMap(([name, next, ...rest]) => {
    const relation = relations.get(name)
    if (relation === undefined) return []
    const { attribute, type } = relation
    const value = revealedValue(shape, attribute, type, state, viewer)
    const references = value === null ? [] : (type.type.references?.(value) ?? [])
    const further: IncludePath | null = next === undefined ? null : [next, ...rest]
    return references
      .filter(({ collection }) => mayRead(viewer, collection))
      .map((reference) => ({ reference, further }))
  })
}
