/** Generated locations that follow the rules between the attributes of listings and coupons. */
import type { JsonObject } from '../json.js'
import { couponAttributes, listingAttributes } from '../location/listing-attributes.js'
import { partOf } from '../resource/table-entries.js'

const couponImage = '5e0d9d3c-0b6f-4c8e-9a57-3f1d2c4b6a70'

const names = (table: object): readonly string[] => Object.keys(table)

const hasSome = (input: JsonObject, table: object): boolean =>
  names(table).some((name) => (input[name] ?? null) !== null)

/** The input with a coupon image if it has another attribute of a coupon. */
export const withCouponImage = (input: JsonObject): JsonObject =>
  hasSome(input, couponAttributes) && partOf(couponAttributes, input).coupon_img_uuid === null
    ? { ...input, coupon_img_uuid: couponImage }
    : input

/** The input of a PATCH with `is_listing: true` if it has another attribute of a listing. */
export const withListing = (input: JsonObject): JsonObject =>
  names(input).some((name) => name !== 'is_listing' && Object.hasOwn(listingAttributes, name))
    ? { ...withCouponImage(input), is_listing: true }
    : input
