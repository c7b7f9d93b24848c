/** What clients send with the attributes of listings and coupons, so that the rules between them are met. */
import type { JsonObject } from '../json.js'
import { couponAttributes, listingAttributes } from './listing-attributes.js'

const couponImage = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'

const names = (table: object): readonly string[] => Object.keys(table)

const hasSome = (input: JsonObject, table: object): boolean =>
  names(table).some((name) => (input[name] ?? null) !== null)

/** The input with an image, where it has a coupon. */
export const withCouponImage = (input: JsonObject): JsonObject =>
  hasSome(input, couponAttributes) && (input['coupon_img_uuid'] ?? null) === null
    ? { ...input, coupon_img_uuid: couponImage }
    : input

/** The input with the word that it is about a listing, where a PATCH needs it. */
export const withListing = (input: JsonObject): JsonObject =>
  names(input).some((name) => name !== 'is_listing' && Object.hasOwn(listingAttributes, name))
    ? { ...withCouponImage(input), is_listing: true }
    : input
