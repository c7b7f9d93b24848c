import type { NaiveDateTime } from '../time/naive-date-time.js'

/** Whether a moment lies in a window: its start is in it, its end isn't; a side that is absent is open. */
export const isWithin = (now: NaiveDateTime, start?: string | null, end?: string | null): boolean =>
  (typeof start !== 'string' || start <= now) && (typeof end !== 'string' || now < end)

/** Whether a location is a listing, and when. */
export type ListingWindow = {
  readonly is_listing?: boolean | null
  readonly listing_start?: string | null
  readonly listing_expires?: string | null
}

/** Whether a location is a listing, now (docs/behaviour/locations.md#listing-window). */
export const isActiveListing = (
  { is_listing, listing_start, listing_expires }: ListingWindow,
  now: NaiveDateTime,
): boolean => is_listing === true && isWithin(now, listing_start, listing_expires)
