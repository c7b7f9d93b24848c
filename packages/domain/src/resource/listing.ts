/** A page of a collection, and where the pages before and after it start. */
import { base64urlPattern, fromBase64url, toBase64url } from '../base64url.js'
import { E, type Either } from '../fp.js'
import { isJsonList, type Json, type JsonObject } from '../json.js'
import type { Schema } from '../value/schema.js'
import type { Counted } from './counted.js'

/** Cursors: where a page starts, and where the page before it starts; that is null if it is not known. */
export type PagePlace = readonly [start: Json, previous: Json]

/** The highest number of a page. */
export const maxPage = 1_000_000_000

const isPageNumber = (page: number): boolean => Number.isInteger(page) && page >= 1 && page <= maxPage

/** Another page: its number, and where it starts if that is known. */
export type PageLink = { readonly page: number; readonly after: PagePlace | null }

/** One page of a collection: rows in the order of `fields`, and the pages that follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly next: PageLink | null
  readonly previous: PageLink | null
  /** The objects that `include` names, by UUID; null without `include`. */
  readonly included: JsonObject | null
  /** What the request counts; null if nothing. */
  readonly counted: Counted | null
}

/**
 * The longest text of a place: with the rest of its address it is within the 16 KiB of headers that Node accepts. A place of a page of
 * several collections contains texts of their keys.
 */
const maxPlaceLength = 15_000

/** What the parameter `after` accepts. It is opaque, and needs no escape in an address. */
export const placeSchema = {
  type: 'string',
  format: 'page-place',
  pattern: base64urlPattern,
  maxLength: maxPlaceLength,
} as const satisfies Schema

/** The text of a page with a known start, for the parameter `after` (docs/behaviour/collections.md#links). */
export const placeText = (page: number, [start, previous]: PagePlace): string =>
  toBase64url(JSON.stringify([page, start, previous]))

/** A page, and where it starts. */
export type PlacedPage = { readonly page: number; readonly after: PagePlace }

const notAPlace = E.left('must be that of the link next or prev of a page of this collection')

/** The page of a text that a link has in `after`. */
export const parsePlace = (text: string): Either<string, PlacedPage> => {
  const json = text.length > maxPlaceLength ? null : fromBase64url(text)
  if (json === null) return notAPlace
  try {
    const place: Json = JSON.parse(json)
    const [page = null, start = null, previous = null, ...others]: readonly Json[] = isJsonList(place)
      ? place
      : []
    return typeof page !== 'number' || !isPageNumber(page) || start === null || others.length > 0
      ? notAPlace
      : E.right({ page, after: [start, previous] })
  } catch {
    return notAPlace
  }
}
