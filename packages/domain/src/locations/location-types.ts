/** The filter by location types (docs/behaviour/locations.md#filters). Types are tags (docs/behaviour/tags.md#location-types). */
import type { JsonObject } from '../json.js'
import type { Filter } from '../resource/filter.js'
import { type CollectionFilter, textsFilter } from '../resource/collection-filter.js'
import { attributeIn } from '../resource/attribute-tables.js'
import type { ViewContext } from '../resource/view-context.js'
import { displayName, locationTypesReference, membersAttributes, taggedAs, taggingsOf } from '../tags/tag.js'
import { fold } from '../value/fold.js'
import { parseUuid } from '../value/text.js'
import type { Reference } from '../value/value-type.js'
import { maxLine } from './location-attributes.js'

const predicate = 'describes'

/** The tags of the category that replaces the old types, in its order. */
const typesIn = (find: ViewContext['find']): readonly string[] =>
  attributeIn(
    membersAttributes,
    'members',
    find(locationTypesReference.collection, locationTypesReference.id),
  ) ?? []

/** The titles of the types of a location. */
export const locationTypes = (state: JsonObject, { find }: ViewContext): readonly string[] => {
  const describing = taggingsOf(state).filter((each) => each.predicate === predicate)
  const tags = new Set(describing.map(({ tag }) => tag))
  if (tags.size === 0) return []
  const types = typesIn(find)
  return [...tags].flatMap((id) => {
    const tag = types.includes(id) ? find('tags', id) : undefined
    return tag === undefined ? [] : [displayName(tag)]
  })
}

const attribute = 'location_types'

/** Its condition is not on a key: it names types until `withLocationTypes` replaces it. */
export const locationTypesFilter: CollectionFilter<'tagged_as'> = {
  ...textsFilter(attribute, 'Only locations of these types, each the UUID or the title of its tag', maxLine),
  keys: ['tagged_as'],
}

const isOfTypes = (filter: Filter): filter is Extract<Filter, { readonly oneOf: unknown }> =>
  'oneOf' in filter && filter.key === attribute

/** The names of types in conditions. */
export const typesNamedIn = (where: readonly Filter[]): readonly string[] =>
  where.filter(isOfTypes).flatMap(({ oneOf }) => oneOf.map(String))

/** The types that may have one of these names: all if one of them is a title. */
export const typesToLoad = (names: readonly string[], find: ViewContext['find']): readonly Reference[] => {
  const ids = new Set(names.map(parseUuid))
  return typesIn(find)
    .filter((id) => ids.has(null) || ids.has(id))
    .map((id) => ({ path: '', collection: 'tags', id }))
}

/** The conditions with the tags of the types that exist instead of their names. */
export const withLocationTypes = (
  where: readonly Filter[],
  types: readonly Reference[],
  find: ViewContext['find'],
): readonly Filter[] => {
  const isNamed = ({ collection, id }: Reference, names: readonly string[]): boolean => {
    const tag = find(collection, id)
    return (
      tag !== undefined &&
      names.some((name) => parseUuid(name) === id || fold(name) === fold(displayName(tag)))
    )
  }
  return where.map((filter) => {
    if (!isOfTypes(filter)) return filter
    const names = filter.oneOf.map(String)
    const tags = types.filter((type) => isNamed(type, names))
    return { anyOf: tags.map(({ id }) => [{ key: 'tagged_as', has: taggedAs(predicate, id) }]) }
  })
}
