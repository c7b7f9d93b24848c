import { prefixed, stored, type AliasAttribute, type WholeOf } from '../../resource/attribute.js'
import { image } from '../../resource/image-attributes.js'
import { listOf, textsOf } from '../../value/record.js'
import { reference } from '../../value/reference.js'
import { date, integer, rating } from '../../value/scalar.js'
import { numberAsText, text, textOf, webAddress } from '../../value/text.js'
import { alsoTaking } from '../../value/value-type.js'
import { reviewTypes } from '../content-type.js'
import { webLink, webLinkAttributes } from './web-link.js'

type Kind = 'album' | 'book' | 'product' | 'movie'

type WebLink = WholeOf<typeof webLinkAttributes>

type Sold<K extends Kind> = Readonly<Record<`${K}_buy_urls`, readonly WebLink[] | null>>

/** The single buy link of releases before 3: returns the first of the list and, written without the list, replaces it. */
const firstBuyLink = <K extends Kind>(
  kind: K,
  part: 'url' | 'link_text',
): AliasAttribute<Sold<K>, string> => {
  const list = `${kind}_buy_urls` as const
  return {
    kind: 'alias',
    type: part === 'url' ? webAddress : text({ max: 255 }),
    description: part === 'url' ? 'Address of the first buy URL.' : 'Text of the first buy URL.',
    deprecated: `Since release 3; use ${list}.`,
    only: [`review_${kind}`],
    instead: list,
    derive: (state) => state[list]?.[0]?.[part] ?? null,
    assign: (draft, value) => {
      const [first, ...rest] = draft[list] ?? []
      if (part === 'url' && value === null) return { ...draft, [list]: rest }
      const changed = { url: null, link_text: null, ...first, [part]: value }
      // A link text without an address is dropped.
      return changed.url === null ? draft : { ...draft, [list]: [changed, ...rest] }
    },
  }
}

const reviewed = <K extends Kind>(kind: K) => {
  const only = [`review_${kind}` as const]
  return {
    ...prefixed(kind, { title: stored(text({ max: 255 }), `Title of the ${kind}.`, { only }) }),
    ...image(`${kind}_image`, `Picture of the ${kind}`, { only }),
    ...prefixed(kind, {
      issued: stored(date, `When the ${kind} came out.`, { only }),
      buy_urls: stored(listOf(webLink, 100), `Where to buy the ${kind}.`, { only, initial: [] }),
      provider_urls: stored(
        textsOf(webAddress, 100, 'commas', { type: 'string', format: 'web-addresses', maxLength: 2048 }),
        `Where the ${kind} is offered.`,
        { only, initial: [] },
      ),
    }),
  }
}

const oldBuyLink = <K extends Kind>(kind: K) =>
  prefixed(kind, { buy_url: firstBuyLink(kind, 'url'), buy_link_text: firstBuyLink(kind, 'link_text') })

const isbn = alsoTaking(
  textOf(
    { format: 'isbn', pattern: '^[0-9Xx -]{10,17}$', maxLength: 17 },
    'an ISBN of 10 or 13 digits, hyphens allowed',
    (value) => (/^(?:\d{9}[\dXx]|\d{13})$/.test(value.replace(/[ -]/g, '')) ? value : null),
  ),
  numberAsText,
)

/** Attributes of the five kinds of review (docs/behaviour/content.md#reviews). */
export const reviewAttributes = {
  rating: stored(rating, 'Stars, by halves.', {
    only: reviewTypes,
  }),
  ...reviewed('album'),
  ...oldBuyLink('album'),
  ...reviewed('book'),
  ...oldBuyLink('book'),
  book_isbn: stored(isbn, 'ISBN of the book.', { only: ['review_book'] }),
  ...reviewed('product'),
  ...oldBuyLink('product'),
  ...reviewed('movie'),
  movie_duration: stored(integer({ min: 0, max: 100_000 }), 'Running time in minutes.', {
    only: ['review_movie'],
  }),
  location_uuid: stored(reference('locations'), 'The location: reviewed, or where the event takes place.', {
    only: ['review_location', 'event'],
  }),
} as const
