import { contentTypeAttributes, contentTypes, type ContentType } from '../content/content-type.js'
import type { JsonObject } from '../json.js'
import { attributeIn } from '../resource/table-entries.js'

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
