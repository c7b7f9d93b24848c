/** Filters by tags (docs/behaviour/collections.md#tags-filter). */
import { E, type Either } from '../fp.js'
import type { Filter, KeyFilter } from '../resource/filter.js'
import { type CollectionFilter, parseUuids, uuidsSchema } from '../resource/collection-filter.js'
import type { Facet } from '../resource/counted.js'
import type { Reference } from '../value/value-type.js'
import {
  collectionsAccepting,
  isPredicate,
  predicateNames,
  type TaggableCollection,
  taggedAs,
} from './tag.js'

type TagKey = 'tagged' | 'tagged_as'

type TagTexts = { readonly key: TagKey; readonly texts: readonly string[] }

/** The texts under a key that the tags have, or what is accepted. */
const tagTexts = (text: string, predicate: unknown): Either<string, TagTexts> => {
  const tags = parseUuids(text)
  if (E.isLeft(tags)) return tags
  // The fault of an unknown predicate is that of the parameter `predicate`.
  return typeof predicate === 'string' && isPredicate(predicate)
    ? E.right({ key: 'tagged_as', texts: tags.right.map((tag) => taggedAs(predicate, tag)) })
    : E.right({ key: 'tagged', texts: tags.right })
}

const keys = ['tagged', 'tagged_as'] as const

/** The tags of objects. */
export const tagFacet = { key: 'tagged', of: 'tags' } as const satisfies Facet<TagKey>

/** The filters by tags of a collection. */
export const tagFilters = (collection: TaggableCollection) => {
  const byTags = (
    description: string,
    conditions: (tags: TagTexts) => readonly Filter[],
  ): CollectionFilter<TagKey> => ({
    description: `${description}: UUIDs, separated by underscores.`,
    schema: uuidsSchema(),
    keys,
    parse: (text, _viewer, { predicate }) => {
      const tags = tagTexts(text, predicate)
      return E.isLeft(tags) ? tags : E.right(conditions(tags.right))
    },
  })
  const accepted = predicateNames.filter((name) => collectionsAccepting(name).includes(collection))
  return {
    tags: byTags('Only objects that have all these tags', ({ key, texts }) =>
      texts.map((has) => ({ key, has })),
    ),
    tags_any: byTags('Only objects that have at least one of these tags', ({ key, texts }) => [
      { anyOf: texts.map((has) => [{ key, has }]) },
    ]),
    tags_none: byTags('Only objects that have none of these tags', ({ key, texts }) => [
      { key, hasNone: texts },
    ]),
    predicate: {
      description:
        'Counts a tag in `tags`, `tags_any` and `tags_none` only if it is attached with this predicate.',
      schema: { type: 'string', enum: accepted },
      keys,
      narrows: ['tags', 'tags_any', 'tags_none'],
      parse: (text) =>
        accepted.some((name) => name === text)
          ? E.right([])
          : E.left(`must be one of ${accepted.join(', ')}`),
    },
  } as const satisfies Readonly<Record<string, CollectionFilter<TagKey>>>
}

const tagOf = (text: string): string => text.slice(-36)

const isOnTags = ({ key }: KeyFilter): boolean => keys.some((each) => each === key)

/** The tags that a condition names. */
const tagsOf = (condition: KeyFilter): readonly string[] => {
  if (!isOnTags(condition)) return []
  if ('has' in condition) return [tagOf(condition.has)]
  return 'hasNone' in condition ? condition.hasNone.map(tagOf) : []
}

const conditionsOf = (filter: Filter): readonly KeyFilter[] =>
  'anyOf' in filter ? filter.anyOf.flat() : [filter]

/** The tags that conditions name. */
export const tagsNamedIn = (where: readonly Filter[]): readonly Reference[] =>
  where
    .flatMap(conditionsOf)
    .flatMap(tagsOf)
    .map((id) => ({ path: '', collection: 'tags', id }))

/** The conditions in which a deleted tag is on no object: objects keep the UUIDs of deleted tags. */
export const withExistingTags = (
  where: readonly Filter[],
  exists: (tag: string) => boolean,
): readonly Filter[] => {
  const canBeMet = (condition: KeyFilter): boolean =>
    !('has' in condition && isOnTags(condition)) || exists(tagOf(condition.has))
  return where.map((filter) => {
    if ('anyOf' in filter) return { anyOf: filter.anyOf.filter((group) => group.every(canBeMet)) }
    if ('hasNone' in filter && isOnTags(filter))
      return { ...filter, hasNone: filter.hasNone.filter((text) => exists(tagOf(text))) }
    return canBeMet(filter) ? filter : { anyOf: [] }
  })
}
