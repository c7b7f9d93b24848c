/** Filters by tags (docs/behaviour/collections.md#tags-filter). */
import { E, type Either } from '../fp.js'
import type { Filter, KeyFilter } from '../resource/filter.js'
import { type CollectionFilter, parseUuids, uuidsSchema } from '../resource/collection-filter.js'
import type { Reference } from '../value/value-type.js'
import {
  collectionsAccepting,
  isPredicate,
  predicateNames,
  type TaggableCollection,
  taggedAs,
} from './tagging-attributes.js'

type TagKey = 'tagged' | 'tagged_as'

const tagConditions = (text: string, predicate: unknown): Either<string, readonly KeyFilter[]> => {
  const tags = parseUuids(text)
  if (E.isLeft(tags)) return tags
  return E.right(
    tags.right.map((tag) =>
      // The fault of an unknown predicate is that of the parameter `predicate`.
      typeof predicate === 'string' && isPredicate(predicate)
        ? { key: 'tagged_as', has: taggedAs(predicate, tag) }
        : { key: 'tagged', has: tag },
    ),
  )
}

const keys = ['tagged', 'tagged_as'] as const

/** The filters by tags of a collection. */
export const tagFilters = (collection: TaggableCollection) => {
  const accepted = predicateNames.filter((name) => collectionsAccepting(name).includes(collection))
  return {
    tags: {
      description: 'Only objects that have all these tags: UUIDs, separated by underscores.',
      schema: uuidsSchema(),
      keys,
      parse: (text, _viewer, { predicate }) => tagConditions(text, predicate),
    },
    tags_any: {
      description: 'Only objects that have at least one of these tags: UUIDs, separated by underscores.',
      schema: uuidsSchema(),
      keys,
      parse: (text, _viewer, { predicate }) => {
        const conditions = tagConditions(text, predicate)
        return E.isLeft(conditions)
          ? conditions
          : E.right([{ anyOf: conditions.right.map((each) => [each]) }])
      },
    },
    predicate: {
      description: 'Counts a tag in `tags` and `tags_any` only if it is attached with this predicate.',
      schema: { type: 'string', enum: accepted },
      keys,
      narrows: ['tags', 'tags_any'],
      parse: (text) =>
        accepted.some((name) => name === text)
          ? E.right([])
          : E.left(`must be one of ${accepted.join(', ')}`),
    },
  } as const satisfies Readonly<Record<string, CollectionFilter<TagKey>>>
}

/** The tag of a condition; null for conditions on other keys. */
const tagOf = (condition: KeyFilter): string | null =>
  'has' in condition && keys.some((key) => key === condition.key) ? condition.has.slice(-36) : null

const conditionsOf = (filter: Filter): readonly KeyFilter[] =>
  'anyOf' in filter ? filter.anyOf.flat() : [filter]

/** The tags that conditions name. */
export const tagsNamedIn = (where: readonly Filter[]): readonly Reference[] =>
  where
    .flatMap(conditionsOf)
    .flatMap((condition) => tagOf(condition) ?? [])
    .map((id) => ({ path: '', collection: 'tags', id }))

/** The conditions in which a deleted tag matches nothing: objects keep the UUIDs of deleted tags. */
export const withExistingTags = (
  where: readonly Filter[],
  exists: (tag: string) => boolean,
): readonly Filter[] => {
  const isMet = (condition: KeyFilter): boolean => {
    const tag = tagOf(condition)
    return tag === null || exists(tag)
  }
  return where.map((filter) => {
    if ('anyOf' in filter) return { anyOf: filter.anyOf.filter((group) => group.every(isMet)) }
    return isMet(filter) ? filter : { anyOf: [] }
  })
}
