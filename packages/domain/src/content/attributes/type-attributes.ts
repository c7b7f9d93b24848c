/** Attributes that only some content types have. */
import { stored, prefixed, type AliasAttribute, type WholeOf } from '../../resource/attribute.js'
import { record, listOf, textsOf } from '../../value/record.js'
import { webAddress, emailAddresses } from '../../value/address.js'
import { text, numberAsText, textOf } from '../../value/text.js'
import {
  boolean,
  dateTime,
  dateTimeOrDay,
  oneOf,
  duration,
  date,
  integer,
  rating,
} from '../../value/scalar.js'
import { recurrenceRule } from '../../events/recurrence-rule.js'
import { image } from '../../files/file-data.js'
import { reference } from '../../value/reference.js'
import { alsoTaking } from '../../value/value-type.js'
import { reviewTypes } from '../content-type.js'
import { markup } from '../../value/markup.js'

const webLinkAttributes = {
  url: stored(webAddress, 'Where it leads.', { required: true }),
  link_text: stored(text({ max: 255 }), 'Text of the link.'),
} as const

/** A web address with a link text: buy URLs, ticket URLs. */
const webLink = record(webLinkAttributes)

const onlyEvents = ['event'] as const

/** The number of occurrences of an event that are listed: before the time of the expansion, and from then on. */
export const listedOccurrences = { past: 250, future: 750 } as const

const periods = {
  ...listOf(text({ max: 61 }), listedOccurrences.past + listedOccurrences.future),
  key: 'intervals' as const,
}

/** Attributes of an event (docs/behaviour/content.md#events); its location is among the attributes of reviews. */
export const eventAttributes = {
  dtstart: stored(dateTime, 'When it starts.', { only: onlyEvents, required: true }),
  dtend: stored(dateTime, 'When it ends.', { only: onlyEvents }),
  rrule: stored(recurrenceRule, 'How it recurs: the parts of an RFC 5545 rule.', { only: onlyEvents }),
  rdates: stored(listOf(dateTimeOrDay, 1000), 'Further starts; a day means the time of dtstart.', {
    only: onlyEvents,
    initial: [],
  }),
  exdates: stored(listOf(dateTimeOrDay, 1000), 'Starts that are left out; a day means all its starts.', {
    only: onlyEvents,
    initial: [],
  }),
  occurrences: stored(periods, 'Its occurrences as texts `start end`, by start.', {
    only: onlyEvents,
    internal: true,
    heavy: true,
    initial: [],
  }),
  occurrences_due: stored(dateTime, 'When its list of occurrences must be renewed.', {
    only: onlyEvents,
    internal: true,
  }),
  location_alt: stored(text({ max: 1000 }), 'Where it takes place, if that is not a location object.', {
    only: onlyEvents,
    searched: 'body',
  }),
  website: stored(webAddress, 'Website of the event.', { only: onlyEvents }),
  phone: stored(text({ max: 255 }), 'Telephone of the organizer.', { only: onlyEvents }),
  email: stored(emailAddresses, 'E-mail of the organizer.', { only: onlyEvents }),
  prices: stored(text({ max: 5000 }), 'Prices.', { only: onlyEvents }),
  ticket_urls: stored(listOf(webLink, 100), 'Where to get tickets.', { only: onlyEvents, initial: [] }),
  sort_title: stored(text({ max: 255 }), 'Title to sort by.', { only: onlyEvents }),
  sponsored: stored(boolean, 'Whether it is highlighted; directory add-on only.', {
    only: onlyEvents,
    initial: false,
    addon: true,
  }),
  event_status_type: stored(
    oneOf(['cancelled', 'postponed', 'rescheduled', 'moved_online']),
    'Whether it takes place as planned.',
    { only: onlyEvents },
  ),
  ical_uid: stored(text({ max: 255 }), 'UID in the calendar from which it was imported.', {
    only: onlyEvents,
  }),
} as const

const onlyRecipes = ['recipe'] as const

/** Attributes of a recipe (docs/behaviour/content.md#recipes). */
export const recipeAttributes = {
  recipe_prep_time: stored(duration, 'Time to prepare.', { only: onlyRecipes }),
  recipe_cook_time: stored(duration, 'Time to cook.', { only: onlyRecipes }),
  recipe_yield: stored(text({ max: 255 }), 'Amount, such as `4 servings`.', { only: onlyRecipes }),
  recipe_ingredients: stored(
    textsOf(text({ max: 1000, min: 1 }), 500, 'lines'),
    'Ingredients, one for each item.',
    {
      only: onlyRecipes,
      initial: [],
    },
  ),
  ...image('recipe_image', 'Picture of the dish', { only: onlyRecipes }),
} as const

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

const entry = {
  title: stored(text({ max: 255 }), 'Title in place of the target’s own.'),
  content: stored(markup({ slots: false, max: 100_000 }), 'Text of the roundup about it.'),
} as const

const roundupLocation = record({
  location_uuid: stored(reference('locations'), 'The location.', { required: true }),
  ...entry,
})

const roundupTarget = record({
  target_uuid: stored(reference('content'), 'The content object.', { required: true }),
  ...entry,
})

/** Attributes of location and content roundups (docs/behaviour/content.md#roundups). */
export const roundupAttributes = {
  roundup_locations: stored(listOf(roundupLocation, 500), 'The locations, in order.', {
    only: ['roundup_location'],
    emptyElsewhere: true,
    initial: [],
    heavy: true,
  }),
  roundup_content_targets: stored(listOf(roundupTarget, 500), 'The content objects, in order.', {
    only: ['roundup_content'],
    emptyElsewhere: true,
    initial: [],
    heavy: true,
  }),
  roundup_numbering: stored(oneOf(['none', 'asc', 'desc']), 'How the entries are numbered.', {
    only: ['roundup_location', 'roundup_content'],
    initial: 'none',
  }),
  roundup_location_tour_type: stored(
    oneOf(['walking', 'driving', 'bicycling']),
    'How readers navigate between entries.',
    {
      only: ['roundup_location'],
    },
  ),
  roundup_location_hide_map: stored(boolean, 'Whether the map is hidden.', {
    only: ['roundup_location'],
    initial: false,
  }),
} as const
