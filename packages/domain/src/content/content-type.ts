/** The content types on the wire (decisions §7). */
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

/** Other names that clients send for some types (decisions §16.12). */
export const contentTypeAliases: Readonly<Record<string, ContentType>> = { review: 'review_location' }

const starting = (prefix: string): readonly ContentType[] =>
  contentTypes.filter((type) => type.startsWith(prefix))

/** The plural names that the `ctypes` parameter takes, with the types that they mean (decisions §4). */
export const contentTypePlurals: Readonly<Record<string, readonly ContentType[]>> = {
  articles: ['article'],
  events: ['event'],
  recipes: ['recipe'],
  reviews: starting('review_'),
  reviews_album: ['review_album'],
  reviews_book: ['review_book'],
  reviews_product: ['review_product'],
  reviews_movie: ['review_movie'],
  reviews_location: ['review_location'],
  roundups: starting('roundup_'),
  roundups_location: ['roundup_location'],
  roundups_content: ['roundup_content'],
}
