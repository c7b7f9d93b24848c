import { derived, stored, type StateOf } from '../resource/attribute.js'
import { image } from '../resource/image-attributes.js'
import { momentOf, reachedAt } from '../resource/moment.js'
import { partOf } from '../resource/table-entries.js'
import type { Viewer } from '../resource/view-context.js'
import { boolean, dateTime } from '../value/scalar.js'
import { listOf } from '../value/list.js'
import { reference } from '../value/reference.js'
import { emailAddresses, text } from '../value/text.js'
import { isActiveListing, isWithin, type ListingWindow } from './windows.js'

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
    { internal: true, addon, initial: [], includedAs: 'listing_images' },
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
