import { fault, within, type Fault } from '../fault.js'
import { jsonEqual } from '../json.js'
import { computed, folded, type AcceptedOf, type StateOf, type VariantOf } from '../resource/attribute.js'
import {
  hasDraft,
  liveFrom,
  live,
  liveSince,
  stateFilter,
  titleOrder,
  touchedAttributes,
  touchedFilter,
  touchedOrder,
  stampFilters,
} from '../resource/standard-attributes.js'
import {
  sampleObjects,
  defineResource,
  type ResourceWith,
  type Change,
  type Subcollection,
} from '../resource/resource.js'
import { filterFrom, periodFilter, uuidsFilter, wordsFilter } from '../resource/collection-filter.js'
import { parseUuid } from '../value/text.js'
import { checkMarkup } from '../value/markup.js'
import { E } from '../fp.js'
import { commonAttributes, legacyAttributes, contentPath } from './attributes/common-attributes.js'
import {
  eventAttributes,
  recipeAttributes,
  reviewAttributes,
  roundupAttributes,
} from './attributes/type-attributes.js'
import { tagFacet, tagFilters } from '../tags/tag-filters.js'
import { taggingAttributes } from '../tags/tag.js'
import { contentTypePlurals, type ContentType } from './content-type.js'
import { eventTimes, expandOccurrences } from '../events/occurrences.js'
import { occurrenceKeys, occurringFilter } from '../events/occurring.js'
import { sectionFilters } from '../sections/section-filters.js'
import { nearVenueFilter } from '../locations/near.js'
import { recurrenceFaults } from '../events/recurrence-faults.js'
import { completedReview, reviewFaults, reviewFilters } from './review.js'
import { linkTargets, noLinks, relatedLinksAttributes } from './related-links.js'
import { slotsAttributes } from './slot.js'

const commentsAndSlotTags = /<!--[^]*?(?:-->|$)|<slot(?:\s+id\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g

/**
 * The slots whose tags are in the body, in its order. A stored body is valid, so its tags are found with a regular
 * expression; the parser is used only if a tag does not start with an id that is written literally.
 */
const placedSlots = ({ content: body }: { readonly content: string | null }): readonly string[] => {
  if (typeof body !== 'string' || !body.includes('<slot')) return []
  const tags = Array.from(body.matchAll(commentsAndSlotTags)).filter(([match]) => !match.startsWith('<!'))
  const ids = tags.map(([, double, single]) => parseUuid(double ?? single ?? ''))
  const plain = ids.filter((id) => id !== null)
  if (plain.length === ids.length) return plain
  const checked = checkMarkup(body, { slots: true })
  return E.isRight(checked) ? checked.right.slots : []
}

type Sortable = Pick<
  StateOf<typeof commonAttributes & typeof eventAttributes>,
  'content_type' | 'sort_title' | 'title'
>

type Showing = Pick<
  StateOf<typeof reviewAttributes & typeof roundupAttributes & typeof relatedLinksAttributes>,
  'location_uuid' | 'roundup_locations' | 'roundup_content_targets' | 'related_links'
>

/** The content and locations that the page of a content object shows. Other types lack the attributes of one. */
const shownObjects = ({
  location_uuid: place,
  roundup_locations: places,
  roundup_content_targets: targets,
  related_links: links,
}: Partial<Showing>): readonly string[] => [
  ...new Set([
    ...(typeof place === 'string' ? [place] : []),
    ...(places ?? []).map((entry) => entry.location_uuid),
    ...(targets ?? []).map((entry) => entry.target_uuid),
    ...linkTargets(links ?? noLinks),
  ]),
]

const attributes = {
  ...commonAttributes,
  ...legacyAttributes,
  ...reviewAttributes,
  ...recipeAttributes,
  ...roundupAttributes,
  ...eventAttributes,
  ...taggingAttributes,
  ...slotsAttributes,
  placed_slots: computed('texts', 'The slots in the body, in its order.', ['content'], placedSlots),
  ...relatedLinksAttributes,
  shown_objects: computed(
    'texts',
    'The content and locations that its page shows.',
    ['location_uuid', 'roundup_locations', 'roundup_content_targets', 'related_links'],
    shownObjects,
  ),
  ...touchedAttributes,
  ...occurrenceKeys,
  has_draft: hasDraft('content', 'contributor'),
  live_from: liveFrom,
  title_order: titleOrder('title'),
  sort_title_order: folded(
    'The title of an event as lists order it.',
    ['content_type', 'sort_title', 'title'],
    ({ content_type, sort_title, title }: Sortable) =>
      content_type === 'event' ? (sort_title ?? title ?? '') : null,
  ),
} as const

/** A content object while it is written: required attributes may be null, and so are those of other types. */
type ContentDraft = StateOf<typeof attributes>

type ContentOf<V extends ContentType> = VariantOf<typeof attributes, 'content_type', V>

export type Article = ContentOf<'article'>
export type Event = ContentOf<'event'>
export type Recipe = ContentOf<'recipe'>
export type AlbumReview = ContentOf<'review_album'>
export type BookReview = ContentOf<'review_book'>
export type ProductReview = ContentOf<'review_product'>
export type MovieReview = ContentOf<'review_movie'>
export type LocationReview = ContentOf<'review_location'>
export type LocationRoundup = ContentOf<'roundup_location'>
export type ContentRoundup = ContentOf<'roundup_content'>

type EventTimes = Pick<ContentDraft, 'dtstart' | 'dtend' | 'rrule'>

// An unchanged rule is not validated again.
const isNewRule = ({ dtstart, rrule }: EventTimes, previous: EventTimes | null): boolean =>
  !jsonEqual([dtstart, rrule], [previous?.dtstart ?? null, previous?.rrule ?? null])

const eventFaults = (state: EventTimes, previous: EventTimes | null): readonly Fault[] => {
  const { dtstart, dtend, rrule } = state
  return [
    ...(dtend !== null && dtstart !== null && dtend < dtstart
      ? [fault('dtend', 'range', 'must not be before dtstart')]
      : []),
    ...(dtstart !== null && rrule !== null && isNewRule(state, previous)
      ? within('rrule', recurrenceFaults(rrule, dtstart))
      : []),
  ]
}

/** The occurrences of an event, if its times have changed or the list is due; null if it has those that it should have. */
export function* occurrencesOf(
  state: Pick<ContentDraft, 'content_type' | 'occurrences_due' | (typeof eventTimes)[number]>,
  { previous, now, settings }: Pick<Change<ContentDraft>, 'previous' | 'now' | 'settings'>,
): Generator<undefined, Pick<ContentDraft, 'occurrences' | 'occurrences_due'> | null> {
  if (state.content_type !== 'event') return null
  const isDue = (state.occurrences_due ?? '') <= now
  const isSame = eventTimes.every((name) => jsonEqual(state[name], previous?.[name] ?? null))
  if (isSame && !isDue) return null
  const { occurrences, due } = yield* expandOccurrences(state, settings.timezone, now)
  return { occurrences, occurrences_due: due }
}

/** Events as a separate list (docs/behaviour/collections.md#events). */
const events = {
  name: 'event',
  segments: 'events',
  description: 'Events are content of the type event.',
  where: [{ key: 'content_type', equals: 'event' }],
  orders: {
    title: 'title_order',
    sort_title: 'sort_title_order',
    created: 'created',
    modified: 'modified',
    issued: 'issued',
    dtstart: 'dtstart',
    ...touchedOrder,
  },
  filters: {
    dtstart: periodFilter('dtstart', 'Starting within this period'),
    occurring: occurringFilter,
    near: nearVenueFilter,
  },
  selectedBy: { filter: 'ctypes', value: 'events' },
} as const satisfies Subcollection

const exampleBodies = [
  {
    content_type: 'article',
    title: 'The last tram',
    urlname: 'the-last-tram',
    description: 'It leaves at half past midnight, and it waits for nobody.',
    content: `<p>The driver has a name for each of us. <em>Mine is the one who runs.</em></p>
<slot id="3d0c7a52-1e4b-4f6a-9d88-5b2f60c1a7e4"/>`,
    section_uuid: sampleObjects.section,
    state: 'published',
  },
  {
    content_type: 'review_product',
    title: 'A kettle with a spout like a heron',
    urlname: 'a-kettle-with-a-spout-like-a-heron',
    rating: '4.5',
    product_title: 'Heron',
    product_buy_urls: [{ url: 'https://shop.example.org/heron', link_text: 'At the shop' }],
  },
  {
    content_type: 'review_location',
    title: 'Standing room',
    urlname: 'standing-room',
    rating: '4',
    location_uuid: sampleObjects.location,
  },
  {
    content_type: 'roundup_location',
    title: 'Two doors that stay open late',
    urlname: 'two-doors-that-stay-open-late',
    roundup_locations: [sampleObjects.location, sampleObjects.listing].map((location_uuid) => ({
      location_uuid,
      content: '<p>Ring twice.</p>',
    })),
    roundup_numbering: 'asc',
    roundup_location_tour_type: 'walking',
  },
] as const

/** Articles, reviews, roundups, recipes and events (docs/behaviour/content.md). */
export const content: ResourceWith<typeof attributes, 'content', 'content_type'> = defineResource({
  name: 'content',
  collection: 'content',
  description: 'Content objects are the stories of a publication, of ten types.',
  examples: {
    id: sampleObjects.story,
    bodies: exampleBodies,
    change: { kicker: 'From the archive', evergreen: true },
  },
  attributes,
  variant: 'content_type',
  path: contentPath,
  orders: {
    title: 'title_order',
    urlname: 'urlname',
    created: 'created',
    modified: 'modified',
    issued: 'issued',
    ...touchedOrder,
    review_at: 'review_at',
  },
  filters: {
    ctypes: wordsFilter('content_type', 'Only these content types', contentTypePlurals),
    ...sectionFilters,
    blogs: uuidsFilter('blog_uuid', 'Only in these blogs'),
    issued: periodFilter('issued', 'Issued within this period'),
    ...stampFilters,
    ...touchedFilter,
    state: stateFilter,
    ...reviewFilters,
    created_by: filterFrom('reader', uuidsFilter('created_by', 'Created by these API users')),
    ...tagFilters('content'),
  },
  subcollections: [events],
  facets: {
    tags: tagFacet,
    section: { key: 'section_uuid', of: 'sections' },
    content_type: { key: 'content_type' },
  },
  indexes: [
    ['section_uuid', 'issued'],
    ['section_uuid', 'title_order'],
    ['section_uuid', 'live_from'],
    ['content_type', 'issued'],
    ['content_type', 'title_order'],
    ['content_type', 'sort_title_order'],
    ['content_type', 'dtstart'],
    ['content_type', 'section_uuid', 'live_from', 'issued'],
    ['content_type', 'occurrences_due'],
    ['occurrences'],
    ['long_occurrences'],
    ['location_uuid', 'live_from'],
    ['state', 'issued'],
    ['review', 'review_at'],
    ['live_from'],
    ['tagged', 'live_from'],
    ['tagged', 'issued'],
    ['tagged_as'],
    ['shown_objects'],
  ],
  groupCounts: [
    { key: 'tagged', within: ['state'] },
    { key: 'tagged_as', within: ['state'] },
    { key: 'tagged', within: ['state', 'content_type'] },
    { key: 'tagged_as', within: ['state', 'content_type'] },
  ],
  dependences: [
    { collection: 'comments', key: 'content_uuid', reported: 'parent_uuid', onDeletion: 'remove' },
  ],
  unique: ({ content_type, blog_uuid, section_uuid }) => {
    if (content_type === 'event') return { scope: 'event', message: 'urlname must be unique for events' }
    if (blog_uuid !== null)
      return { scope: `blog:${blog_uuid}`, message: 'urlname must be unique within blog' }
    return { scope: `section:${section_uuid ?? 'root'}`, message: 'urlname not unique within section' }
  },
  *complete(state, change) {
    const { previous, now, mode } = change
    const former = previous === null ? null : liveSince(previous)
    const wasLive = former !== null && former <= now
    // An earlier state without a date was live already.
    const isNew = !wasLive && mode !== 'restore'
    const isIssued = isNew && state.state === 'published' && state.issued === null
    const completed = completedReview(isIssued ? { ...state, issued: now } : state, change)
    const listed = yield* occurrencesOf(completed, change)
    return listed === null ? completed : { ...completed, ...listed }
  },
  check: (state, change) => [
    ...reviewFaults(state, change),
    ...(state.content_type === 'event' ? eventFaults(state, change.previous) : []),
  ],
  isPublished: ({ state }) => state === 'published',
  shownToPublic: { where: (viewer) => [live(viewer)], keys: ['live_from'], times: ['live_from'] },
})

/** A content object of any type. The type is known after a comparison of `content_type`. */
export type Content = AcceptedOf<typeof content>
