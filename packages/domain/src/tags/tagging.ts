import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import { derived, stored } from '../resource/attribute.js'
import { draftAttributes } from '../resource/draft-attributes.js'
import { attributeIn } from '../resource/attribute-tables.js'
import { dateTime } from '../value/scalar.js'
import type { ValueContext } from '../value/value-type.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import {
  isPredicate,
  predicateNames,
  acceptsPredicate,
  type TaggableCollection,
  maxTaggings,
  taggingsOf,
  type Tagging,
  taggableCollections,
} from './tag.js'
import type { Queryable } from '../resource/collection-query.js'
import { matchesFilter, type Filter, type KeyFilter } from '../resource/filter.js'
import { entriesOfKinds, kindsOf, resourceOf } from '../resource/resources.js'
import { liveFrom } from '../resource/standard-attributes.js'
import { type CollectionFilter, type CollectionFilters, wordsFilter } from '../resource/collection-filter.js'
import type { Resource } from '../resource/resource.js'

type Named = Pick<Tagging, 'tag' | 'predicate'>

const taggingView = {
  url: derived({ type: 'string', format: 'uri' }, 'API URL.', ({ tag, predicate }: Named, { links, id }) =>
    links.tagging(tag, predicate, id),
  ),
  uuid: derived(
    { type: 'string', format: 'uuid' },
    'The object that the tag is on.',
    (_state, view) => view.id,
  ),
  tag_uuid: derived({ type: 'string', format: 'uuid' }, 'The tag.', ({ tag }: Named) => tag),
  predicate: derived(
    { type: 'string', enum: predicateNames },
    'How the tag relates to the object.',
    ({ predicate }: Named) => predicate,
  ),
  created: stored(dateTime, 'When the tag was attached; now, unless sent.'),
} as const

/**
 * A tagging (docs/behaviour/tags.md#taggings). The id of its view is that of the object. Its body may be absent, and clients send an
 * attribute with an empty name.
 */
export const tagging = {
  attributes: taggingView,
  examples: { bodies: [{ created: '2026-02-28T18:00:00' }] },
} as const

const isOf = (tag: string, predicate: string) => (each: Tagging) =>
  each.tag === tag && each.predicate === predicate

/** The tagging of an object with a tag and a predicate, if there is one. */
export const findTagging = (state: JsonObject, tag: string, predicate: string): Tagging | undefined =>
  taggingsOf(state).find(isOf(tag, predicate))

const predicateFaults = (
  predicate: string,
  collection: TaggableCollection,
  state: JsonObject,
): readonly Fault[] => {
  if (!isPredicate(predicate))
    return [fault('predicate', 'choice', `must be one of ${predicateNames.join(', ')}`)]
  return acceptsPredicate(predicate, collection, state)
    ? []
    : [fault('predicate', 'rule', `this kind of object does not accept the predicate ${predicate}`)]
}

/** The object with a tag attached. If it is attached already, only a date that was sent changes. */
export const attachTag = (
  collection: TaggableCollection,
  state: JsonObject,
  { tag, predicate }: { readonly tag: string; readonly predicate: string },
  input: JsonObject,
  { now, context }: { readonly now: NaiveDateTime; readonly context: ValueContext },
): Either<readonly Fault[], JsonObject> => {
  const { '': _nameless, ...named } = input
  const draft = draftAttributes(tagging, { mode: 'put', input: named, previous: null, context })
  const faults = [...predicateFaults(predicate, collection, state), ...draft.faults]
  if (faults.length > 0) return E.left(faults)
  const present = findTagging(state, tag, predicate)
  const others = taggingsOf(state)
  const created = attributeIn(taggingView, 'created', draft.state) ?? present?.created ?? now
  const taggings =
    present === undefined
      ? [...others, { tag, predicate, created }]
      : others.map((each) => (each === present ? { ...each, created } : each))
  return taggings.length > maxTaggings
    ? E.left([fault('tag', 'limit', `an object has at most ${maxTaggings} tags`)])
    : E.right({ ...state, taggings })
}

/** The object without a tagging. */
export const detachTag = (state: JsonObject, tag: string, predicate: string): JsonObject => ({
  ...state,
  taggings: taggingsOf(state).filter((each) => !isOf(tag, predicate)(each)),
})

/** The object with only the taggings whose tag passes. */
export const filterTaggings = (state: JsonObject, isKept: (tag: string) => boolean): JsonObject => ({
  ...state,
  taggings: taggingsOf(state).filter(({ tag }) => isKept(tag)),
})

/** Whether an object has the maximum number of taggings. */
export const hasMaxTaggings = (state: JsonObject): boolean => taggingsOf(state).length >= maxTaggings

/** The kinds of objects that tags are attached to. */
export const taggedKinds = kindsOf(taggableCollections.flatMap((collection) => resourceOf(collection) ?? []))

/** The filters of all kinds, which do not order the rows. None is `predicate`, since the predicate is in the path. */
const filters = (): CollectionFilters => {
  const { predicate: _inPath, ...others } = entriesOfKinds(taggedKinds, (kind) => kind.filters)
  return Object.fromEntries(
    Object.entries(others).map(([name, filter]) => {
      if ('restricts' in filter) return [name, filter]
      const { nearest: _ofLocations, parse, ...rest } = filter
      const own: CollectionFilter = {
        ...rest,
        parse: (text, viewer, parameters) => parse(text, viewer, { ...parameters, predicate: undefined }),
      }
      return [name, own]
    }),
  )
}

/**
 * The objects that a tag is attached to, queried like a collection (docs/behaviour/tags.md#objects-of-a-tag): the fields,
 * orders and filters of all kinds.
 */
export const taggedIndex: Queryable = {
  attributes: entriesOfKinds(taggedKinds, ({ attributes }) => attributes),
  orders: entriesOfKinds(taggedKinds, ({ orders }) => orders),
  facets: entriesOfKinds(taggedKinds, ({ facets = {} }) => facets),
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
