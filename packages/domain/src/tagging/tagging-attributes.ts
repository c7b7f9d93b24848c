import { contentTypeAttributes, contentTypes, type ContentType } from '../content/content-type.js'
import type { JsonObject } from '../json.js'
import { attributeIn } from '../resource/table-entries.js'
import { computed, derived, stored, type WholeOf } from '../resource/attribute.js'
import { listOf, record } from '../value/record.js'
import { reference } from '../value/reference.js'
import { dateTime, oneOf } from '../value/scalar.js'

const reviews = ['review_album', 'review_book', 'review_product', 'review_movie'] as const

const everyContent: readonly ContentType[] = contentTypes

/** The collections whose objects can have tags. */
export const taggableCollections = ['content', 'locations', 'files', 'blogs'] as const
export type TaggableCollection = (typeof taggableCollections)[number]

type Kinds = {
  /** The content types that accept it; none by default. */
  readonly content?: readonly ContentType[]
  readonly others?: readonly Exclude<TaggableCollection, 'content'>[]
}

/** The predicates, and the kinds of objects that accept them (docs/behaviour/tags.md#predicates). */
export const predicates = {
  describes: { content: everyContent, others: ['locations', 'files', 'blogs'] },
  authored: { content: everyContent },
  edited: { content: everyContent },
  is_brand_of_reviewed: { content: reviews },
  type_of_reviewed: { content: reviews },
  created_reviewed: { content: ['review_album', 'review_book', 'review_movie'] },
  illustrated_reviewed: { content: ['review_book'] },
  translated_reviewed: { content: ['review_book'] },
  photographed: { others: ['files'] },
  illustrated: { others: ['files'] },
} as const satisfies Readonly<Record<string, Kinds>>

export type Predicate = keyof typeof predicates

export const isPredicate = (name: string): name is Predicate => Object.hasOwn(predicates, name)

export const predicateNames: readonly Predicate[] = Object.keys(predicates).filter(isPredicate)

/** Whether an object accepts a predicate, by its collection and, for content, its type. */
export const acceptsPredicate = (
  predicate: Predicate,
  collection: TaggableCollection,
  state: JsonObject,
): boolean => {
  const { content = [], others = [] }: Kinds = predicates[predicate]
  return collection === 'content'
    ? content.some((type) => type === attributeIn(contentTypeAttributes, 'content_type', state))
    : others.includes(collection)
}

/** The collections whose objects accept a predicate. */
export const collectionsAccepting = (predicate: Predicate): readonly TaggableCollection[] => {
  const { content = [], others = [] }: Kinds = predicates[predicate]
  return taggableCollections.filter((each) =>
    each === 'content' ? content.length > 0 : others.includes(each),
  )
}

const tagging = {
  tag: stored(reference('tags'), 'The tag.', { required: true }),
  predicate: stored(oneOf(predicateNames), 'How it relates to the object.', { required: true }),
  created: stored(dateTime, 'When it was attached.', { required: true }),
} as const

/** One tag on one object, as the object stores it. */
export type Tagging = WholeOf<typeof tagging>

/** Maximum number of tags on one object, all predicates together. */
export const maxTaggings = 500

const storedTaggings = {
  taggings: stored(listOf(record(tagging), maxTaggings), 'Its tags, with their predicates.', {
    internal: true,
    part: true,
    includedAs: 'tags',
    initial: [],
  }),
} as const

/** The taggings of an object, in the order in which they were attached. */
export const taggingsOf = (state: JsonObject): readonly Tagging[] =>
  attributeIn(storedTaggings, 'taggings', state) ?? []

/** The tags of an object, each once. */
export const tagsOn = (state: JsonObject): readonly string[] => [
  ...new Set(taggingsOf(state).map(({ tag }) => tag)),
]

/** The text under which an object is found by predicate and tag. */
export const taggedAs = (predicate: string, tag: string): string => `${predicate} ${tag}`

/**
 * The taggings of an object. They are stored in the object, so that they are deleted with it and are live when it is.
 */
export const taggingAttributes = {
  ...storedTaggings,
  tags: derived(
    {
      type: 'array',
      maxItems: maxTaggings,
      items: {
        type: 'object',
        properties: {
          uuid: { type: 'string', format: 'uuid', description: 'The tag.' },
          predicate: tagging.predicate.type.schema,
        },
        required: ['uuid', 'predicate'],
      },
    },
    'Its tags, with their predicates.',
    (state: JsonObject, { find }) =>
      taggingsOf(state).flatMap(({ tag, predicate }) =>
        find('tags', tag) === undefined ? [] : [{ uuid: tag, predicate }],
      ),
    { needs: ['taggings'], rowsOnly: true },
  ),
  tagged: computed('texts', 'Its tags.', ['taggings'], tagsOn),
  tagged_as: computed('texts', 'Its tags by predicate.', ['taggings'], (state: JsonObject) =>
    taggingsOf(state).map(({ predicate, tag }) => taggedAs(predicate, tag)),
  ),
} as const
