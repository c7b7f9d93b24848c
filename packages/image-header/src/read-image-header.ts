/**
 * Reads format, size and orientation from the data's own header, never from a name or a declared type, and never by
 * decoding. For any bytes, it ends after a bounded number of steps, in constant memory, and throws nothing.
 */
import { E } from '@publishing-service/domain/fp'
import { unreadablePixels, maxImageSide, type Size } from '@publishing-service/domain/images'
import type { ImageReading } from '@publishing-service/ports'
import { readBmpHeader } from './bmp-header.js'
import { readGifHeader } from './gif-header.js'
import {
  bytes,
  longestPiece,
  unknownFormat,
  unreadableHeader,
  type HeaderReader,
  type HeaderRequest,
  type HeaderResult,
} from './header-reader.js'
import type { ImageHeader } from './image-header.js'
import { readIsobmffHeader } from './isobmff-header.js'
import { readJpegHeader } from './jpeg-header.js'
import { readPngHeader } from './png-header.js'
import { readSvgHeader } from './svg-header.js'
import { readWebpHeader } from './webp-header.js'

type Format = {
  /** The bytes that the data begins with, of which the first differs from those of all other formats. */
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
  { signature: [0, 0, 0], read: readIsobmffHeader },
  // The start of a tag, of a byte order mark in UTF-8, or white space.
  ...[0x3c, 0xef, 0x20, 0x09, 0x0a, 0x0d].map((first) => ({
    signature: [first],
    read: readSvgHeader(first),
  })),
]

const formatOf: ReadonlyMap<number | undefined, Format> = new Map(
  formats.map((format) => [format.signature[0], format]),
)

function* readAnyHeader(): HeaderReader {
  const first = (yield bytes(1, 0, unknownFormat)).getUint8(0)
  const format = formatOf.get(first)
  if (format === undefined) return unknownFormat
  for (const byte of format.signature.slice(1))
    if ((yield bytes(1, 0, unknownFormat)).getUint8(0) !== byte) return unknownFormat
  return yield* format.read()
}

/** A header that is being read. */
type Reading = {
  /** Reads the next bytes of the data. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether more bytes would change nothing. */
  readonly isDone: () => boolean
  /** The result, where the data ends here. */
  readonly end: () => HeaderResult
}

/** Reads a header from data that streams by: its reader gets the bytes that it requests, when all of them are there. */
export const startImageHeader = (): Reading => {
  const reader = readAnyHeader()
  const piece = new Uint8Array(longestPiece)
  let filled = 0
  let passed = 0
  let step = reader.next()
  const endedEarly = (otherwise: HeaderRequest['otherwise']): HeaderResult =>
    typeof otherwise === 'function' ? otherwise(new DataView(piece.slice(0, filled).buffer)) : otherwise
  return {
    push: (chunk) => {
      let at = 0
      while (step.done !== true && at < chunk.length) {
        const { skip, take } = step.value
        const over = Math.min(skip - passed, chunk.length - at)
        passed += over
        at += over
        const taken = Math.min(take - filled, chunk.length - at)
        piece.set(chunk.subarray(at, at + taken), filled)
        filled += taken
        at += taken
        if (filled < take || passed < skip) return
        // A copy: readers keep the piece while the next one is filled.
        step = reader.next(new DataView(piece.slice(0, filled).buffer))
        filled = 0
        passed = 0
      }
    },
    isDone: () => step.done === true,
    end: () => {
      const read = step.done === true ? step.value : endedEarly(step.value.otherwise)
      if (E.isLeft(read)) return read
      const { width, height } = read.right
      const isPossible = width > 0 && width <= maxImageSide && height > 0 && height <= maxImageSide
      return isPossible ? read : unreadableHeader
    },
  }
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
      if (header.mimetype === null) {
        const { width, height } = header
        return E.right({ width, height, format: null, isCmyk: false })
      }
      if (length < header.leastBytes) return E.left(unreadablePixels)
      return E.right({ ...uprightSize(header), format: header.mimetype, isCmyk: isCmyk(header) })
    },
  }
}

/** The header of data that is completely in memory, of an image in a format that is scaled. */
export const readImageHeader = (data: Uint8Array): HeaderResult<ImageHeader> => {
  const reading = startImageHeader()
  reading.push(data)
  const read = reading.end()
  if (E.isLeft(read)) return read
  const header = read.right
  return header.mimetype === null ? unknownFormat : E.right(header)
}
