import type { Queryable } from '../resource/collection-query.js'
import { matchesFilter, type Filter, type KeyFilter } from '../resource/filter.js'
import { entriesOfKinds, kindsOf, resourceOf } from '../resource/resources.js'
import { liveFrom } from '../resource/standard-attributes.js'
import { type CollectionFilter, wordsFilter } from '../resource/collection-filter.js'
import type { Resource } from '../resource/resource.js'
import { taggableCollections } from './tagging-attributes.js'

/** The kinds of objects that tags are attached to. */
export const taggedKinds = kindsOf(taggableCollections.flatMap((collection) => resourceOf(collection) ?? []))

/** The filters of all kinds. None has the parameter `predicate`, since the predicate is in the path. */
const filters = (): Readonly<Record<string, CollectionFilter>> => {
  const { predicate: _inPath, ...others } = entriesOfKinds(taggedKinds, (kind) => kind.filters)
  return Object.fromEntries(
    Object.entries(others).map(([name, filter]) => [
      name,
      { ...filter, parse: (text, viewer) => filter.parse(text, viewer, {}) },
    ]),
  )
}

/**
 * The objects that a tag is attached to, queried like a collection (docs/behaviour/tags.md#objects-of-a-tag): the fields,
 * orders and filters of all kinds.
 */
export const taggedIndex: Queryable = {
  attributes: entriesOfKinds(taggedKinds, ({ attributes }) => attributes),
  orders: entriesOfKinds(taggedKinds, ({ orders }) => orders),
  filters: {
    ...filters(),
    type: wordsFilter(
      'kind',
      'Only objects of these kinds',
      Object.fromEntries(taggedKinds.map(({ name }) => [name, [name]])),
    ),
  },
}

const published = { state: 'published', live_from: liveFrom.compute({ state: 'published' }) } as const

/**
 * The filters of the index that objects of a kind have to meet, or null if none can. `isKey` returns whether a store has
 * a key of the kind. The objects have no value under another key, except that they count as published.
 */
export const filtersForKind = (
  { attributes, name }: Pick<Resource, 'attributes' | 'name'>,
  where: readonly Filter[],
  isKey: (key: string) => boolean,
): readonly Filter[] | null => {
  // Conditions on derived attributes are replaced by others before a store receives them.
  const hasKey = (key: string): boolean => isKey(key) || attributes[key]?.kind === 'derived'
  const constants = { ...published, kind: name }
  /** The conditions that remain, or null if one of them is never met. */
  const remaining = (group: readonly KeyFilter[]): readonly KeyFilter[] | null =>
    group.every((each) => hasKey(each.key) || matchesFilter(each, constants))
      ? group.filter(({ key }) => hasKey(key))
      : null
  const kept: Filter[] = []
  for (const filter of where) {
    const isGroup = 'anyOf' in filter
    const groups = (isGroup ? filter.anyOf : [[filter]]).map(remaining).filter((group) => group !== null)
    if (groups.length === 0) return null
    if (groups.every(({ length }) => length > 0))
      kept.push(...(isGroup ? [{ anyOf: groups }] : groups.flat()))
  }
  return kept
}
