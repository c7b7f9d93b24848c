import { reachedAt, momentOf } from '../resource/standard-attributes.js'
import type { ClockTime } from '../time/naive-date-time.js'
import { derived, stored, type StateOf } from '../resource/attribute.js'
import { image } from '../files/file-data.js'
import { partOf } from '../resource/attribute-tables.js'
import type { Viewer } from '../resource/view-context.js'
import { boolean, dateTime } from '../value/scalar.js'
import { listOf } from '../value/record.js'
import { reference } from '../value/reference.js'
import { emailAddresses } from '../value/address.js'
import { text } from '../value/text.js'

/** Whether a time is within a window. The start is included, the end is not; an absent side has no limit. */
export const isWithin = (now: ClockTime, start?: string | null, end?: string | null): boolean =>
  (typeof start !== 'string' || start <= now) && (typeof end !== 'string' || now < end)

/** The listing window of a location. */
export type ListingWindow = {
  readonly is_listing?: boolean | null
  readonly listing_start?: string | null
  readonly listing_start_moment?: string | null
  readonly listing_expires?: string | null
  readonly listing_expires_moment?: string | null
}

/** Whether a location is a listing and within its window (docs/behaviour/locations.md#listing-window). */
export const isActiveListing = ({ is_listing, ...window }: ListingWindow, now: ClockTime): boolean =>
  is_listing === true &&
  isWithin(
    now,
    reachedAt(window.listing_start, window.listing_start_moment),
    reachedAt(window.listing_expires, window.listing_expires_moment),
  )

// Spans of time windows, so that an index finds the windows that may be open at a time without reading those that have
// ended. Time is divided into spans of several lengths. A window is indexed under the one or two spans that contain it,
// of the shortest length that is not less than its own. A time is in one span of each length. Few windows that are not
// open share a span with it, and the caller filters these out.

/** Lengths of spans in days. Longer windows, and those without an end, are indexed as always open. */
const lengths = [1, 8, 64, 512, 4096, 32_768] as const
const always = 'always'

const day = 86_400_000
const dayOf = (moment: string): number => Math.floor(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) / day)

const spanOf = (length: number, days: number): string => `${length}:${Math.floor(days / length)}`

/** The spans of a window; null for a side without a limit. */
export const spansOf = (start: string | null, end: string | null): readonly string[] => {
  if (start === null || end === null) return [always]
  const [first, last] = [dayOf(start), dayOf(end)]
  const length = lengths.find((each) => each > last - first)
  return length === undefined ? [always] : [...new Set([spanOf(length, first), spanOf(length, last)])]
}

/** The spans under which a window that is open at this time can be indexed. */
export const spansAt = (now: ClockTime): readonly string[] => [
  always,
  ...lengths.map((length) => spanOf(length, dayOf(now))),
]

const addon = true

/** Maximum number of images of one listing. */
export const maxListingImages = 100

/** The coupon of a listing; its image is required (docs/behaviour/locations.md#coupons). */
export const couponAttributes = {
  ...image('coupon_img', 'Coupon', { addon }),
  coupon_title: stored(text({ max: 255 }), 'Title of the coupon.', { addon }),
  coupon_description: stored(text({ max: 10_000 }), 'Description of the coupon.', { addon }),
  coupon_start: stored(dateTime, 'When the coupon starts.', { addon }),
  coupon_expires: stored(dateTime, 'When the coupon ends; it is no longer shown then.', { addon }),
} as const

/** The attributes of locations on an instance with the directory add-on (docs/behaviour/locations.md#listings). */
export const listingAttributes = {
  is_listing: stored(boolean, 'Whether it is a listing of the directory.', { initial: false, addon }),
  sponsored: stored(boolean, 'Whether the directory highlights it.', {
    initial: false,
    addon,
    nullableInViews: true,
  }),
  contact_person: stored(text({ max: 255 }), 'Whom to contact; never public.', {
    addon: 'written',
    visibleTo: 'reader',
  }),
  contact_email: stored(emailAddresses, 'Where to write; never public.', {
    addon: 'written',
    visibleTo: 'reader',
  }),
  listing_start: stored(dateTime, 'When the listing starts; now by default.', { addon }),
  listing_expires: stored(dateTime, 'When the listing ends.', { addon }),
  listing_start_moment: momentOf('listing_start'),
  listing_expires_moment: momentOf('listing_expires'),
  coupon_start_moment: momentOf('coupon_start'),
  coupon_expires_moment: momentOf('coupon_expires'),
  listing_active: derived(
    { type: 'boolean' },
    'Whether it is listed now.',
    // Every listing has a start; viewers outside the window do not see it.
    (state: ListingWindow, view) => state.listing_start !== null && isActiveListing(state, view.now),
    { addon },
  ),
  ...couponAttributes,
  listing_images: stored(
    listOf(reference('files', { media: 'image' }), maxListingImages),
    'Images of the listing, in order.',
    { internal: true, part: true, addon, initial: [], includedAs: 'listing_images' },
  ),
} as const

type Listing = StateOf<typeof listingAttributes>

const plainLocation = partOf(listingAttributes, {})

/** The coupon attributes of a location without a coupon. */
export const withoutCoupon = partOf(couponAttributes, {})

const closedListing = {
  ...Object.fromEntries(Object.keys(plainLocation).map((name) => [name, null])),
  is_listing: true,
}

/**
 * A location without what the viewer may not see: public_user reads a listing outside its window as a plain location,
 * and does not see a coupon outside the window of the coupon (docs/behaviour/access.md#public-user, docs/behaviour/locations.md#outside-the-window).
 */
export const redactListing = <S extends Listing>(state: S, viewer: Viewer): S => {
  if (viewer.role !== 'public_user') return state
  if (state.is_listing !== true) return { ...state, ...plainLocation }
  const { now } = viewer
  if (!isActiveListing(state, now)) return { ...state, ...closedListing }
  return isWithin(
    now,
    reachedAt(state.coupon_start, state.coupon_start_moment),
    reachedAt(state.coupon_expires, state.coupon_expires_moment),
  )
    ? state
    : { ...state, ...withoutCoupon }
}
