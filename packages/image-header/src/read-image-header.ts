/**
 * Reads format, size and orientation from the data's own header, never from a name or a declared type, and never by
 * decoding. For any bytes, it ends after a bounded number of steps, in constant memory, and throws nothing.
 */
import { E } from '@publishing-service/domain/fp'
import { unreadablePixels, imageFormats, maxImageSide, type Size } from '@publishing-service/domain/images'
import type { ImageReading } from '@publishing-service/ports'
import { readBmpHeader } from './bmp-header.js'
import { readGifHeader } from './gif-header.js'
import {
  bytes,
  startReading,
  unreadableHeader,
  type HeaderReader,
  type HeaderResult,
  type Reading,
} from './header-reader.js'
import type { ImageHeader } from './image-header.js'
import { readJpegHeader } from './jpeg-header.js'
import { readPngHeader } from './png-header.js'
import { readWebpHeader } from './webp-header.js'

type Format = {
  readonly signature: readonly number[]
  /** Reads what follows the signature. */
  readonly read: () => HeaderReader
}

const formats: readonly Format[] = [
  { signature: [0xff, 0xd8, 0xff], read: readJpegHeader },
  { signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], read: readPngHeader },
  { signature: [0x47, 0x49, 0x46, 0x38], read: readGifHeader },
  { signature: [0x52, 0x49, 0x46, 0x46], read: readWebpHeader },
  { signature: [0x42, 0x4d], read: readBmpHeader },
]
const longestSignature = Math.max(...formats.map(({ signature }) => signature.length))

const unknownFormat = E.left(`The data is not an image in a known format (${imageFormats.join(', ')}).`)

function* readAnyHeader(): HeaderReader {
  const start: number[] = []
  while (start.length < longestSignature) {
    start.push((yield bytes(1, 0, unknownFormat)).getUint8(0))
    const format = formats.find(
      ({ signature }) =>
        signature.length === start.length && signature.every((byte, at) => start[at] === byte),
    )
    if (format !== undefined) return yield* format.read()
  }
  return unknownFormat
}

const isPossible = (side: number): boolean => side > 0 && side <= maxImageSide

const withPossibleSize = E.chain((header: ImageHeader): HeaderResult =>
  isPossible(header.width) && isPossible(header.height) ? E.right(header) : unreadableHeader,
)

/** Reads a header from data that streams by. */
export const startImageHeader = (): Reading => {
  const reading = startReading(readAnyHeader())
  return { ...reading, end: () => withPossibleSize(reading.end()) }
}

/** Whether the pixels are in CMYK. */
export const isCmyk = (header: ImageHeader): boolean =>
  header.mimetype === 'image/jpeg' && header.components === 4

/** The size of the displayed image. */
export const uprightSize = ({ orientation, width, height }: ImageHeader): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** Implements `readHeader` of the imaging port. */
export const readImage = (): ImageReading => {
  const reading = startImageHeader()
  return {
    ...reading,
    end: (length) => {
      const read = reading.end()
      if (E.isLeft(read)) return read
      const header = read.right
      if (length < header.leastBytes) return E.left(unreadablePixels)
      return E.right({ ...uprightSize(header), format: header.mimetype, isCmyk: isCmyk(header) })
    },
  }
}

/** The header of data that is completely in memory. */
export const readImageHeader = (data: Uint8Array): HeaderResult => {
  const reading = startImageHeader()
  reading.push(data)
  return reading.end()
}
