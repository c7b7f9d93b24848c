/**
 * Reads format, size and orientation from the data's own header, never from a name or a declared type, and never by
 * decoding. For any bytes, it ends after a bounded number of steps, in constant memory, and throws nothing.
 */
import { unreadablePixels, E, imageFormats, maxImageSide, type Either } from '@publishing-service/domain'
import type { ImageReading } from '@publishing-service/ports'
import { readBmpHeader } from './bmp-header.js'
import { readGifHeader } from './gif-header.js'
import { startReading, type Reading } from './header-reader.js'
import {
  unreadableHeader,
  isCmyk,
  refused,
  uprightSize,
  type ImageHeader,
  type ImageHeaderReader,
} from './image-header.js'
import { readJpegHeader } from './jpeg-header.js'
import { readPngHeader } from './png-header.js'
import { readWebpHeader } from './webp-header.js'

type Format = {
  readonly signature: readonly number[]
  readonly read: () => ImageHeaderReader
}

const formats: readonly Format[] = [
  { signature: [0xff, 0xd8, 0xff], read: readJpegHeader },
  { signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], read: readPngHeader },
  { signature: [0x47, 0x49, 0x46, 0x38], read: readGifHeader },
  { signature: [0x52, 0x49, 0x46, 0x46], read: readWebpHeader },
  { signature: [0x42, 0x4d], read: readBmpHeader },
]

const unknownFormat = `The data is not an image in a known format (${imageFormats.join(', ')}).`

const withPossibleSize = (header: ImageHeader): Either<string, ImageHeader> =>
  [header.width, header.height].every((side) => side > 0 && side <= maxImageSide)
    ? E.right(header)
    : refused(unreadableHeader)

/** Reads a header from data that streams by. `end` returns the header, or for a client why there is none. */
export const startImageHeader = (): Reading<ImageHeader> => {
  const start: number[] = []
  const longest = Math.max(...formats.map(({ signature }) => signature.length))
  let reading: Reading<ImageHeader> | 'unknown' | undefined
  const choose = (): void => {
    const format = formats.find(({ signature }) => signature.every((byte, at) => start[at] === byte))
    if (format === undefined) {
      if (start.length === longest) reading = 'unknown'
      return
    }
    reading = startReading(format.read(), unreadableHeader)
    reading.push(Uint8Array.from(start))
  }
  return {
    push: (chunk) => {
      let at = 0
      for (; reading === undefined && at < chunk.length; at += 1) {
        start.push(chunk[at] ?? 0)
        choose()
      }
      if (reading !== undefined && reading !== 'unknown') reading.push(chunk.subarray(at))
    },
    isDone: () => reading === 'unknown' || reading?.isDone() === true,
    end: () =>
      reading === undefined || reading === 'unknown'
        ? refused(unknownFormat)
        : E.chain(withPossibleSize)(reading.end()),
  }
}

/** Implements `readHeader` of the imaging port. */
export const readImage = (): ImageReading => {
  const { push, isDone, end } = startImageHeader()
  return {
    push,
    isDone,
    end: (bytes) =>
      E.chain((header: ImageHeader) =>
        bytes < header.leastBytes
          ? E.left(unreadablePixels)
          : E.right({ ...uprightSize(header), format: header.mimetype, isCmyk: isCmyk(header) }),
      )(end()),
  }
}

/** The header of data that is completely in memory. */
export const readImageHeader = (data: Uint8Array): Either<string, ImageHeader> => {
  const reading = startImageHeader()
  reading.push(data)
  return reading.end()
}
