/**
 * Readers of headers request the few bytes that they read and skip others, so that data of any size is read as it
 * streams by, in the memory of one such piece.
 */
import { E, type Either } from '@publishing-service/domain/fp'
import { imageFormats } from '@publishing-service/domain/images'
import type { ImageHeader, SizeHeader } from './image-header.js'

/** The longest piece that a reader may request, in bytes. */
export const longestPiece = 65_536

/** On the left, for a client, why there is no header. */
export type HeaderResult<H extends ImageHeader | SizeHeader = ImageHeader | SizeHeader> = Either<string, H>

/** The result if the data ends before the requested bytes, of which the last ones may be there. */
type Otherwise = HeaderResult | ((piece: DataView) => HeaderResult)

export type HeaderRequest = {
  readonly skip: number
  readonly take: number
  readonly otherwise: Otherwise
}

/** Yields which bytes it reads next and receives them. Ends after a bounded number of steps. */
export type HeaderReader = Generator<HeaderRequest, HeaderResult, DataView>

export const unknownFormat = E.left(
  `The data is not an image in a known format (${imageFormats.join(', ')}).`,
)

export const unreadableHeader = E.left('The image is broken or cut short: its header cannot be read.')

/** More parts than any camera or editor writes; data with more is made to use the time of a reader. */
export const maxHeaderParts = 5000

/** Requests the next `count` bytes, after `skip` others. */
export const bytes = (count: number, skip = 0, otherwise: Otherwise = unreadableHeader): HeaderRequest => ({
  skip,
  take: Math.min(count, longestPiece),
  otherwise,
})
