import { fault, type Fault } from '../fault.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { computed, derived, type StateOf, type WholeOf } from '../resource/attribute.js'
import type { Filter } from '../resource/filter.js'
import { defineMemberList } from '../resource/member-list.js'
import {
  hasDraft,
  liveFrom,
  live,
  stateFilter,
  reachedAt,
  titleOrder,
  touchedAttributes,
  touchedFilter,
  touchedOrder,
  stampFilters,
} from '../resource/standard-attributes.js'
import {
  type CollectionFilter,
  booleanFilter,
  integersFilter,
  textsFilter,
  wordsFilter,
} from '../resource/collection-filter.js'
import { sampleObjects, defineResource, type ResourceWith, type Change } from '../resource/resource.js'
import { partOf } from '../resource/attribute-tables.js'
import { locationTypesReference, taggingAttributes } from '../tags/tag.js'
import { tagFacet, tagFilters } from '../tags/tag-filters.js'
import type { ClockTime, NaiveDateTime } from '../time/naive-date-time.js'
import {
  spansAt,
  spansOf,
  couponAttributes,
  listingAttributes,
  maxListingImages,
  redactListing,
  withoutCoupon,
  type ListingWindow,
} from './listing-attributes.js'
import { geonameIds, locationAttributes, maxLine, priceLevels } from './location-attributes.js'
import { nearFilter, nearKeys } from './near.js'
import { locationTypes, locationTypesFilter } from './location-types.js'

/** After every date on which a listing can end. */
const endOfTime = '9999-12-31T23:59:59.999999999'

const sponsoredIn = (span: string): string => `sponsored ${span}`

type Highlighted = { readonly is_listing: boolean | null; readonly sponsored: boolean | null }

const attributes = {
  ...locationAttributes,
  location_types: derived(
    { type: 'array', items: { type: 'string' } },
    'Titles of the tags that describe it and are in the tag category of the kind `location_types`.',
    locationTypes,
    {
      needs: ['taggings'],
      alsoReads: locationTypesReference,
      deprecated: 'Since release 3; types are tags.',
    },
  ),
  ...listingAttributes,
  ...taggingAttributes,
  ...touchedAttributes,
  has_draft: hasDraft('locations', 'editor'),
  ...nearKeys,
  live_from: liveFrom,
  title_order: titleOrder('title'),
  sort_title_order: titleOrder('sort_title', 'title'),
  listed_until: computed(
    'text',
    'When a listing ends.',
    ['is_listing', 'listing_expires', 'listing_expires_moment'],
    (state: ListingWindow) =>
      state.is_listing === true
        ? (reachedAt(state.listing_expires, state.listing_expires_moment) ?? endOfTime)
        : null,
  ),
  sponsored_listing: computed(
    'boolean',
    'Whether it is a highlighted listing.',
    ['is_listing', 'sponsored'],
    ({ is_listing, sponsored }: Highlighted) => is_listing === true && sponsored === true,
  ),
  listed_in: computed(
    'texts',
    'The spans of its listing window.',
    ['is_listing', 'listing_start', 'listing_expires', 'sponsored'],
    (state: ListingWindow & Highlighted) =>
      state.is_listing === true
        ? spansOf(state.listing_start ?? null, state.listing_expires ?? null).flatMap((span) =>
            state.sponsored === true ? [span, sponsoredIn(span)] : [span],
          )
        : [],
  ),
} as const

export type Location = WholeOf<typeof attributes>

/** A location while it is written: required attributes may be null. */
type Draft = StateOf<typeof attributes>

/** The listings whose window is open. The condition on spans lets an index skip the many listings that have ended. */
const active = (now: ClockTime, textOf: (span: string) => string): readonly Filter[] => [
  { anyOf: spansAt(now).map((span) => [{ key: 'listed_in', has: textOf(span) }]) },
  { key: 'listing_start', atMost: now },
  { key: 'listing_start_moment', atMost: now },
  { key: 'listed_until', above: now },
]

const typeFilter: CollectionFilter<
  'is_listing' | 'sponsored_listing' | 'listing_start' | 'listing_start_moment' | 'listed_until' | 'listed_in'
> = {
  description:
    'With the directory add-on: only `listing`s, only plain `location`s, or only `sponsored` listings. For a public_user, a listing counts as one only within its window.',
  schema: { type: 'string', enum: ['listing', 'location', 'sponsored'] },
  keys: [
    'is_listing',
    'sponsored_listing',
    'listing_start',
    'listing_start_moment',
    'listed_until',
    'listed_in',
  ],
  parse: (text, viewer) => {
    if (!viewer.settings.directory_addon)
      return E.left('needs the directory add-on, which this instance does not have')
    const isPublic = viewer.role === 'public_user'
    switch (text) {
      case 'listing':
        return E.right(isPublic ? active(viewer.now, (span) => span) : [{ key: 'is_listing', equals: true }])
      case 'sponsored':
        return E.right(
          isPublic ? active(viewer.now, sponsoredIn) : [{ key: 'sponsored_listing', equals: true }],
        )
      case 'location':
        return E.right(
          isPublic
            ? [
                {
                  anyOf: [
                    [{ key: 'is_listing', equals: false }],
                    [{ key: 'listing_start', above: viewer.now }],
                    [{ key: 'listing_start_moment', above: viewer.now }],
                    [{ key: 'listed_until', atMost: viewer.now }],
                  ],
                },
              ]
            : [{ key: 'is_listing', equals: false }],
        )
      default:
        return E.left('must be one of listing, location, sponsored')
    }
  },
}

const listingNames = Object.keys(listingAttributes).filter(
  (name) => name !== 'is_listing' && !name.endsWith('_moment'),
)

/** A PATCH may change listing attributes only together with `is_listing: true` (docs/behaviour/locations.md#listing-patch). */
const patchFaults = (state: Draft, { mode, previous, supplied }: Change<Draft>): readonly Fault[] => {
  if (mode === 'put' || (supplied.has('is_listing') && state.is_listing === true)) return []
  const [after, before]: readonly JsonObject[] = [state, previous ?? {}]
  return listingNames
    .filter((name) => (after?.[name] ?? null) !== (before?.[name] ?? null))
    .map((name) => fault(name, 'rule', 'can only be changed together with is_listing: true'))
}

/** Sets the start of a listing to now if it has none (docs/behaviour/locations.md). */
const started = (state: Draft, now: NaiveDateTime): Draft =>
  state.is_listing === true && state.listing_start === null ? { ...state, listing_start: now } : state

type Moment = 'listing_start' | 'listing_expires' | 'coupon_start' | 'coupon_expires'

const windowFaults = (state: Draft, start: Moment, end: Moment): readonly Fault[] => {
  const from = reachedAt(state[start], state[`${start}_moment`])
  const to = reachedAt(state[end], state[`${end}_moment`])
  return typeof from === 'string' && typeof to === 'string' && to < from
    ? [fault(end, 'range', `must not be before ${start}`)]
    : []
}

// Unchanged values are not validated again: the image of a coupon may have been deleted.
const couponFaults = (state: Draft, { previous }: Change<Draft>): readonly Fault[] => {
  const before: JsonObject = previous ?? {}
  return state.coupon_img_uuid === null &&
    Object.entries(partOf(couponAttributes, state)).some(
      ([name, value]) => value !== null && value !== before[name],
    )
    ? [fault('coupon_img_uuid', 'required', 'is required for a coupon')]
    : []
}

/** A PATCH that removes the image of a coupon removes the coupon (docs/behaviour/locations.md#coupon-end). */
const withCouponEnded = (state: Draft, { mode, previous }: Change<Draft>): Draft =>
  mode === 'patch' && state.coupon_img_uuid === null && (previous?.coupon_img_uuid ?? null) !== null
    ? { ...state, ...withoutCoupon }
    : state

/** Locations, and with the directory add-on listings (docs/behaviour/locations.md). */
export const location: ResourceWith<typeof attributes, 'locations'> = defineResource({
  name: 'location',
  collection: 'locations',
  description: 'Locations are places; with the directory add-on they can be listings, with coupons.',
  examples: {
    id: sampleObjects.listing,
    deletable: 'd7c4f1a8-0b3d-4e62-8a55-1c9e2b7d6f03',
    bodies: [
      {
        title: 'Tram Museum',
        urlname: 'tram-museum',
        street: 'Depot Street',
        streetnumber: '3',
        pcode: '1030',
        coords: [48.1956, 16.4003],
        price_index: 'inexpensive',
        website: 'https://trams.example.org',
      },
    ],
    change: { opening_hours: 'Mon–Fri 7–19' },
  },
  attributes,
  path: { prefix: '/locations/', listedBy: 'live_from' },
  orders: {
    title: 'title_order',
    sort_title: 'sort_title_order',
    urlname: 'urlname',
    created: 'created',
    modified: 'modified',
    ...touchedOrder,
  },
  filters: {
    type: typeFilter,
    state: stateFilter,
    ...stampFilters,
    ...touchedFilter,
    closed: booleanFilter(
      'closed',
      'Only locations that are closed for business, or only those that are not.',
    ),
    price_index: wordsFilter('price_index', 'Only of these price levels', priceLevels),
    pcode: textsFilter('pcode', 'Only with these postal codes', maxLine),
    geoname_id: integersFilter('geoname_id', 'Only at these places of GeoNames', geonameIds),
    location_types: locationTypesFilter,
    near: nearFilter,
    ...tagFilters('locations'),
  },
  facets: { tags: tagFacet, price_index: { key: 'price_index' } },
  indexes: [
    ['cells'],
    ['closed', 'title_order'],
    ['closed', 'sort_title_order'],
    ['price_index', 'title_order'],
    ['price_index', 'sort_title_order'],
    ['price_index', 'live_from'],
    ['tagged', 'live_from'],
    ['tagged_as'],
    ['sponsored_listing', 'title_order'],
    ['sponsored_listing', 'sort_title_order'],
    ['is_listing', 'title_order'],
    ['is_listing', 'sort_title_order'],
    ['listed_in', 'title_order'],
    ['listed_in', 'sort_title_order'],
    ['listed_in', 'urlname'],
    ['listed_in', 'modified'],
  ],
  groupCounts: [
    { key: 'tagged', within: ['state'] },
    { key: 'tagged_as', within: ['state'] },
  ],
  complete: (state, change) => withCouponEnded(started(state, change.now), change),
  check: (state, change) => [
    ...patchFaults(state, change),
    ...windowFaults(started(state, change.now), 'listing_start', 'listing_expires'),
    ...windowFaults(state, 'coupon_start', 'coupon_expires'),
    ...couponFaults(state, change),
  ],
  shownToPublic: {
    where: (viewer) => [live(viewer)],
    keys: ['live_from'],
    times: ['live_from', 'listing_start', 'listed_until'],
  },
  redact: redactListing,
})

/** The images of a listing (docs/behaviour/locations.md). */
export const listingImages = defineMemberList({
  example: sampleObjects.image,
  resource: location,
  attribute: 'listing_images',
  item: 'uuid',
  target: 'files',
  media: 'image',
  plural: 'images',
  max: maxListingImages,
  exists: ({ settings }) => settings.directory_addon,
})
