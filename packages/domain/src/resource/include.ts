/** `include`: the objects that references name, returned with a page or an object (docs/behaviour/collections.md#include). */
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import { mayActAs, roleNeeded } from '../role/permissions.js'
import type { Reference } from '../value/value-type.js'
import type { AttributeTable, StoredAttribute } from './attribute.js'
import { readParameter, type Parameters } from './collection-filter.js'
import { namesOf, type Selection } from './read-plan.js'
import { resourceOf } from './resources.js'
import { tableEntries, attributesOf, type Shape } from './attribute-tables.js'
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

/** What `include` names. */
export type IncludePath = {
  /** The names from an object to an included one, such as `section`, `parent`. */
  readonly names: readonly [string, ...string[]]
  /** The attributes that the included object has; null for all. */
  readonly fields: readonly string[] | null
}

/** The most names from an object to an included one. */
const maxNames = 2

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

const tablesBelow = ({ type }: Relation): readonly AttributeTable[] =>
  (type.type.targets ?? []).flatMap((target) => {
    const resource = resourceOf(target)
    return resource === undefined ? [] : [resource.attributes]
  })

const namesBelow = (relation: Relation): readonly string[] => [
  ...new Set(tablesBelow(relation).flatMap((table) => [...relationsIn(table).keys()])),
]

/** The attributes that an object at the end of a path can have. */
const fieldsAt = (table: AttributeTable, names: readonly string[]): readonly string[] => {
  let tables: readonly AttributeTable[] = [table]
  for (const name of names)
    tables = tables.flatMap((each) => {
      const relation = relationsIn(each).get(name)
      return relation === undefined ? [] : tablesBelow(relation)
    })
  return [...new Set(tables.flatMap((each) => namesOf(each, 'summary')))]
}

/** Whether objects with these attributes refer to others, so that `include` is a parameter. */
export const hasRelations = ({ attributes }: Pick<Shape, 'attributes'>): boolean =>
  relationsIn(attributes).size > 0

/** Every value that `include` accepts for objects with these attributes: names, and names of names. */
export const includeNamesOf = ({ attributes }: Pick<Shape, 'attributes'>): readonly string[] =>
  [...relationsIn(attributes)].flatMap(([name, relation]) => [
    name,
    ...namesBelow(relation).map((below) => `${name}.${below}`),
  ])

const quoted = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => `«${name.slice(0, 60)}»`)
    .join(', ')

const unknownNames = (names: readonly string[]): string =>
  `unknown ${names.length === 1 ? 'name' : 'names'} ${quoted(names)}`

/** A name with the attributes in brackets after it, or why the brackets are wrong. */
const parseItem = (
  item: string,
): Either<string, { readonly name: string; readonly fields: string | null }> => {
  const [, name = item, fields, rest] = /^([^()]*)\(([^()]*)\)(.*)$/s.exec(item) ?? []
  if (fields === undefined)
    return /[()]/.test(item)
      ? E.left(`the brackets of ${quoted([item])} are not balanced: they are name(attribute,attribute)`)
      : E.right({ name, fields: null })
  return rest === ''
    ? E.right({ name, fields })
    : E.left(`${quoted([item])} goes on after its brackets: a comma or hyphen has to follow them`)
}

/** The items of a list, separated by commas or hyphens outside of brackets. */
const itemsOf = (text: string): readonly string[] => text.split(/[-,](?![^(]*\))/)

/** The path that an item names, or what is accepted. */
const parsePath = (
  { attributes }: Pick<Shape, 'attributes'>,
  accepted: readonly string[],
  item: string,
): Either<string, IncludePath> => {
  const parsed = parseItem(item)
  if (E.isLeft(parsed)) return parsed
  const { name, fields } = parsed.right
  const [first = '', ...further] = name.split('.')
  const names = [first, ...further] as const
  if (names.length > maxNames && names.every((each) => each !== ''))
    return E.left(`${quoted([name])} continues further than ${maxNames} names`)
  if (!accepted.includes(name))
    return E.left(
      `${unknownNames([name])}${fields === null ? '' : ' before brackets'}; the names are ${accepted.join(', ')}`,
    )
  if (fields === null) return E.right({ names, fields })
  const known = fieldsAt(attributes, names)
  const sent = [...new Set(fields.split(/[-,]/))]
  const unknown = sent.filter((each) => !known.includes(each))
  return unknown.length === 0
    ? E.right({ names, fields: sent })
    : E.left(`${unknownNames(unknown)} in the brackets of ${name}; the attributes are ${known.join(', ')}`)
}

/** The paths that the parameter names, or what is wrong with the first that is not accepted. */
export const parseInclude = (
  shape: Pick<Shape, 'attributes'>,
  text: string,
): Either<string, readonly IncludePath[]> => {
  const accepted = includeNamesOf(shape)
  const sent = itemsOf(text)
  const items = [...new Set(sent)]
  const plain = items.filter((item) => !/[().]/.test(item) && !accepted.includes(item))
  if (plain.length > 0) return E.left(`${unknownNames(plain)}; the names are ${accepted.join(', ')}`)
  if (sent.length > includeLimits.names) return E.left(`must name at most ${includeLimits.names}`)
  const paths: IncludePath[] = []
  for (const item of items) {
    const path = parsePath(shape, accepted, item)
    if (E.isLeft(path)) return path
    paths.push(path.right)
  }
  return E.right(paths)
}

/** The paths that `include` names in the query of a single object, or its fault. */
export const parseIncludePaths = (
  shape: Pick<Shape, 'attributes'>,
  parameters: Parameters,
): Either<readonly Fault[], readonly IncludePath[]> =>
  readParameter(parameters, 'include', [], (text) => parseInclude(shape, text))

/** The attributes that paths start with. */
export const includedAttributesOf = (
  { attributes }: Pick<Shape, 'attributes'>,
  paths: readonly IncludePath[],
): readonly string[] =>
  paths.flatMap(({ names: [name] }) => relationsIn(attributes).get(name)?.attribute ?? [])

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

/** A reference at the start of a path. */
export type IncludedReference = {
  readonly reference: Reference
  /** The rest of the path; null at its end. */
  readonly further: IncludePath | null
  /** What is read of the object at the end of the path; null for an object that the path leads on from. */
  readonly selection: Selection | null
}

/** The references of a state at the start of paths, as far as the viewer may see them. */
export const includedReferences = (
  shape: Shape,
  state: JsonObject,
  viewer: Viewer,
  paths: readonly IncludePath[],
): readonly IncludedReference[] => {
  const relations = relationsIn(attributesOf(shape, state))
  return paths.flatMap(({ names: [name, next, ...rest], fields }) => {
    const relation = relations.get(name)
    if (relation === undefined) return []
    const { attribute, type } = relation
    const value = revealedValue(shape, attribute, type, state, viewer)
    const references = value === null ? [] : (type.type.references?.(value) ?? [])
    const further: IncludePath | null = next === undefined ? null : { names: [next, ...rest], fields }
    const selection = next === undefined ? (fields ?? 'summary') : null
    return references
      .filter(({ collection }) => mayRead(viewer, collection))
      .map((reference) => ({ reference, further, selection }))
  })
}
