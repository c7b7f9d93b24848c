/** Where a page starts, as the text of the parameter `after` (docs/behaviour/collections.md#links): JSON. */
import { E, type Either } from '../fp.js'
import type { Json } from '../json.js'

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
