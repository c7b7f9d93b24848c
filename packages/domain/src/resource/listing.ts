/** A page of a collection, and where the pages before and after it start. */
import { E, type Either } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import type { Counted } from './counted.js'

/** Cursors: where a page starts, and where the page before it starts; that is null if it is not known. */
export type PagePlace = readonly [start: Json, previous: Json]

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

/** The longest text of a cursor: that of a page of several collections, whose places contain texts of their keys. */
export const maxCursorLength = 16_384

const notACursor = E.left('must be that of the link next or prev of a page of this collection')

/** Where a page starts, from the text of the parameter `after`, which is JSON (docs/behaviour/collections.md#links). */
export const parsePlace = (text: string): Either<string, PagePlace> => {
  if (text.length > maxCursorLength) return notACursor
  try {
    const place: Json = JSON.parse(text)
    const [start = null, previous = null, ...others]: readonly Json[] = Array.isArray(place) ? place : []
    return start === null || others.length > 0 ? notACursor : E.right([start, previous])
  } catch {
    return notACursor
  }
}
