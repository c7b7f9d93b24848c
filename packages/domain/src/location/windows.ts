import { reachedAt } from '../resource/moment.js'
import type { ClockTime } from '../time/naive-date-time.js'

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
