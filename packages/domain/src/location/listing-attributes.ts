import type { JsonObject } from '../json.js'
import { derived, stored, type AttributeTable } from '../resource/attribute.js'
import { image } from '../resource/image-attributes.js'
import type { Viewer } from '../resource/view-context.js'
import { boolean, dateTime } from '../value/scalar.js'
import { listOf } from '../value/list.js'
import { reference } from '../value/reference.js'
import { emailAddress, text } from '../value/text.js'
import { isActiveListing, isWithin } from './windows.js'

const addon = true

/** Images of one listing. */
export const maxListingImages = 100

/** A coupon of a listing; its image makes it one (specification, Listing). */
export const couponAttributes = {
  ...image('coupon_img', 'Coupon', { addon }),
  coupon_title: stored(text({ max: 255 }), 'Title of the coupon.', { addon }),
  coupon_description: stored(text({ max: 10_000 }), 'Description of the coupon.', { addon }),
  coupon_start: stored(dateTime, 'From when the coupon is shown.', { addon }),
  coupon_expires: stored(dateTime, 'From when the coupon is shown no more.', { addon }),
} as const

/** What a location has on an instance with the directory add-on (specification, Listing; decisions §9). */
export const listingAttributes = {
  is_listing: stored(boolean, 'Whether it is a listing of the directory.', { initial: false, addon }),
  sponsored: stored(boolean, 'Whether the directory highlights it.', { initial: false, addon }),
  contact_person: stored(text({ max: 255 }), 'Whom to contact; never public.', {
    addon,
    visibleTo: 'reader',
  }),
  contact_email: stored(emailAddress, 'Where to write; never public.', { addon, visibleTo: 'reader' }),
  listing_start: stored(dateTime, 'From when it is listed; now, unless sent.', { addon }),
  listing_expires: stored(dateTime, 'From when it is listed no more.', { addon }),
  listing_active: derived(
    { type: 'boolean' },
    'Whether it is listed now.',
    (state, view) => isActiveListing(state, view.now),
    { addon },
  ),
  ...couponAttributes,
  listing_images: stored(
    listOf(reference('files', { media: 'image' }), maxListingImages),
    'Images of the listing, in order.',
    { internal: true, addon, initial: [] },
  ),
} as const

const cleared = (table: AttributeTable): JsonObject =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' ? [[name, attribute.initial ?? null]] : [],
    ),
  )

const plainLocation = cleared(listingAttributes)
const withoutCoupon = cleared(couponAttributes)

/**
 * A location as a viewer may know of it now: outside its window a listing is a plain location to the public, and
 * outside its own window a coupon isn't there (decisions §5.4).
 */
export const revealListing = (state: JsonObject, { role, now }: Viewer): JsonObject => {
  if (role !== 'public_user') return state
  if (!isActiveListing(state, now)) return { ...state, ...plainLocation }
  return isWithin(now, state['coupon_start'], state['coupon_expires'])
    ? state
    : { ...state, ...withoutCoupon }
}
