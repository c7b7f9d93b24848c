/**
 * Readers of headers request the few bytes that they read and skip others, so that data of any size is read as it
 * streams by, in the memory of one such piece.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import type { ImageHeader } from './image-header.js'

/** The longest piece that a reader may request, in bytes. */
export const longestPiece = 65_536

/** On the left, for a client, why there is no header. */
export type HeaderResult = Either<string, ImageHeader>

type Request = {
  readonly skip: number
  readonly take: number
  /** The result if the data ends before these bytes. */
  readonly otherwise: HeaderResult
}

/** Yields which bytes it reads next and receives them. Ends after a bounded number of steps. */
export type HeaderReader = Generator<Request, HeaderResult, DataView>

export const unreadableHeader = E.left('The image is broken or cut short: its header cannot be read.')

/** More parts than any camera or editor writes; data with more is made to use the time of a reader. */
export const maxHeaderParts = 5000

/** Requests the next `count` bytes, after `skip` others. */
export const bytes = (count: number, skip = 0, otherwise: HeaderResult = unreadableHeader): Request => ({
  skip,
  take: Math.min(count, longestPiece),
  otherwise,
})
