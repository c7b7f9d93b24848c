import type { AttributeTable } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import type { Filter } from '../resource/filter.js'
import { entriesOfKinds, kindsOf, resources } from '../resource/resources.js'
import { type Parameters, wordsFilter } from '../resource/collection-filter.js'
import type { Resource } from '../resource/resource.js'
import { searchFilter } from '../resource/search-filter.js'

/** The kinds of objects that are searched together. */
const searchKinds = kindsOf(resources.filter(({ filters }) => filters['q'] !== undefined))

/** The words of `types`: names of collections, and of subcollections, which are parts of them. */
const types: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  searchKinds.flatMap(({ collection, subcollections = [] }) =>
    [collection, ...subcollections.map(({ segments }) => segments)].map((type) => [type, [type]]),
  ),
)

const attributes: AttributeTable = entriesOfKinds(searchKinds, (kind) => kind.attributes)

/** Objects of several collections, found by their words (docs/behaviour/search.md#all-collections). */
export const searchIndex: Queryable = {
  attributes,
  orders: entriesOfKinds(searchKinds, ({ orders }) => orders),
  facets: entriesOfKinds(searchKinds, ({ facets = {} }) => facets),
  filters: { ...searchFilter(attributes), types: wordsFilter('type', 'Only objects of these types', types) },
}

/** A kind of object, and the conditions that select a part of its collection. */
export type SearchKind = { readonly kind: Resource; readonly where: readonly Filter[] }

/** The kinds that `types` names; all without it. */
export const searchKindsOf = ({ types: sent }: Parameters): readonly SearchKind[] => {
  const named = typeof sent === 'string' ? new Set(sent.split(/[-,]/)) : null
  return searchKinds.flatMap((kind): readonly SearchKind[] => {
    if (named === null || named.has(kind.collection)) return [{ kind, where: [] }]
    return (kind.subcollections ?? [])
      .filter(({ segments }) => named.has(segments))
      .map(({ where }) => ({ kind, where }))
  })
}
