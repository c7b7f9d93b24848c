/**
 * Reads format, size and orientation from the data's own header, never from a name or a declared type, and never by
 * decoding. Whatever the bytes are, it ends after a bounded number of steps, in constant memory, and throws nothing.
 */
import { E, type Either } from '../fp.js'
import { readBmpHeader } from './bmp-header.js'
import { readGifHeader } from './gif-header.js'
import { startReading, type Reading } from './header-reader.js'
import {
  brokenHeader,
  maxImageSide,
  refused,
  type ImageHeader,
  type ImageHeaderReader,
} from './image-header.js'
import { readJpegHeader } from './jpeg-header.js'
import { readPngHeader } from './png-header.js'
import { readWebpHeader } from './webp-header.js'

type Format = {
  readonly name: string
  readonly signature: readonly number[]
  readonly read: () => ImageHeaderReader
}

const formats: readonly Format[] = [
  { name: 'JPEG', signature: [0xff, 0xd8, 0xff], read: readJpegHeader },
  { name: 'PNG', signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], read: readPngHeader },
  { name: 'GIF', signature: [0x47, 0x49, 0x46, 0x38], read: readGifHeader },
  { name: 'WebP', signature: [0x52, 0x49, 0x46, 0x46], read: readWebpHeader },
  { name: 'BMP', signature: [0x42, 0x4d], read: readBmpHeader },
]

/** The names of the formats that images can be scaled in. */
export const imageFormats: readonly string[] = formats.map(({ name }) => name)

const unknownFormat = `The data is not an image in a known format (${imageFormats.join(', ')}).`

const believable = (header: ImageHeader): Either<string, ImageHeader> =>
  [header.width, header.height].every((side) => side > 0 && side <= maxImageSide)
    ? E.right(header)
    : refused(brokenHeader)

/**
 * Reads a header from data that streams by. `end` answers the header, or for a client why there is none.
 * Files (docs/behaviour/files.md#width-and-height).
 */
// image-size and its like were tried first: its JPEG walk goes byte by byte over data that is no JPEG and holds up the
// event loop for two seconds on 20 MB, all want the data in one piece, and none tells what decoding will cost.
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
    reading = startReading(format.read(), brokenHeader)
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
        : E.chain(believable)(reading.end()),
  }
}

/** The header of data that are in hand as a whole. */
export const readImageHeader = (data: Uint8Array): Either<string, ImageHeader> => {
  const reading = startImageHeader()
  reading.push(data)
  return reading.end()
}
