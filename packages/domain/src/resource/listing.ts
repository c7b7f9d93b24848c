import type { Json, JsonObject } from '../json.js'
import { E, type Either } from '../fp.js'

/** Another page: its number, and where it starts if that is known. */
export type PageLink = { readonly page: number; readonly after: Json | null }

/** One page of a collection: rows in the order of `fields`, and the pages that follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly next: PageLink | null
  readonly previous: PageLink | null
  /** The objects that `include` names, by UUID; null without `include`. */
  readonly included: JsonObject | null
}

// Where a page starts, as the text of the parameter `after` (docs/behaviour/collections.md#links): JSON.

/** The longest text of a cursor: that of a page of several collections, whose places contain texts of their keys. */
export const maxCursorLength = 16_384

const notACursor = E.left('must be that of the link next or prev of a page of this collection')

export const parseCursor = (text: string): Either<string, Json> => {
  if (text.length > maxCursorLength) return notACursor
  try {
    const cursor: Json = JSON.parse(text)
    return Array.isArray(cursor) ? E.right(cursor) : notACursor
  } catch {
    return notACursor
  }
}
