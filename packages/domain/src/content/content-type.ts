import { stored } from '../resource/attribute.js'
import { oneOf } from '../value/scalar.js'

/** The content types on the wire (docs/behaviour/content.md#types). */
export const contentTypes = [
  'article',
  'event',
  'recipe',
  'review_album',
  'review_book',
  'review_product',
  'review_movie',
  'review_location',
  'roundup_location',
  'roundup_content',
] as const

export type ContentType = (typeof contentTypes)[number]

/** Other names that clients may send for some types (docs/behaviour/content.md#types). */
const aliases: Readonly<Record<string, ContentType>> = { review: 'review_location' }

export const contentTypeAttributes = {
  content_type: stored(oneOf(contentTypes, aliases), 'Content type; can’t be changed later.', {
    required: true,
    fixed: true,
  }),
} as const

const startingWith = <P extends string>(prefix: P) =>
  contentTypes.filter((type): type is Extract<ContentType, `${P}${string}`> => type.startsWith(prefix))

/** The types of reviews. */
export const reviewTypes = startingWith('review_')

/** The plural names that the `ctypes` parameter accepts, with their types (docs/behaviour/collections.md#content-types). */
export const contentTypePlurals: Readonly<Record<string, readonly ContentType[]>> = {
  articles: ['article'],
  events: ['event'],
  recipes: ['recipe'],
  reviews: reviewTypes,
  reviews_album: ['review_album'],
  reviews_book: ['review_book'],
  reviews_product: ['review_product'],
  reviews_movie: ['review_movie'],
  reviews_location: ['review_location'],
  roundups: startingWith('roundup_'),
  roundups_location: ['roundup_location'],
  roundups_content: ['roundup_content'],
}
