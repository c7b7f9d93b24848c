/**
 * A PNG's header: size, EXIF orientation (chunk eXIf, where it stands before the pixels) and what pngjs will
 * allocate. The header chunk's checksum must be right.
 */
import { crc32 } from 'node:zlib'
import { E } from '@publishing-service/domain'
import { readExifOrientation } from './exif-orientation.js'
import { brokenHeader, type HeaderReader, maxHeaderParts, type Orientation, refused } from './image-header.js'
import { pngRowBytes } from './png-row-bytes.js'

const firstChunk = 8
const chunkOverhead = 12
const headerLength = 13
const type = { header: 0x49484452, exif: 0x65584966, pixels: 0x49444154, end: 0x49454e44 }

/** Deflate can't pack more than this many bytes into one. */
const mostDeflated = 1032

const orientationBeforePixels = (bytes: DataView, start: number): Orientation => {
  let at = start
  for (let part = 0; part < maxHeaderParts && at + 8 <= bytes.byteLength; part += 1) {
    const length = bytes.getUint32(at)
    const kind = bytes.getUint32(at + 4)
    if (kind === type.pixels || kind === type.end) return 1
    if (kind === type.exif) {
      const within = Math.min(length, bytes.byteLength - at - 8)
      return readExifOrientation(new DataView(bytes.buffer, bytes.byteOffset + at + 8, within))
    }
    at += length + chunkOverhead
  }
  return 1
}

export const readPngHeader: HeaderReader = (bytes) => {
  if (bytes.getUint32(firstChunk) !== headerLength || bytes.getUint32(firstChunk + 4) !== type.header)
    return refused(brokenHeader)
  const checked = new Uint8Array(bytes.buffer, bytes.byteOffset + firstChunk + 4, headerLength + 4)
  if (crc32(checked) !== bytes.getUint32(firstChunk + 8 + headerLength)) return refused(brokenHeader)

  const width = bytes.getUint32(16)
  const height = bytes.getUint32(20)
  const depth = bytes.getUint8(24)
  const rows = pngRowBytes(new DataView(bytes.buffer, bytes.byteOffset + firstChunk + 8, headerLength))
  if (rows === undefined) return refused(brokenHeader)
  // pngjs holds the rows twice (packed and unfiltered) and, at 16 bits, the pixels in 2 and in 1 byte a sample.
  const decodingBytes = rows * 2 + width * height * (depth === 16 ? 12 : 4) + bytes.byteLength * 2
  return E.right({
    mimetype: 'image/png',
    width,
    height,
    orientation: orientationBeforePixels(bytes, firstChunk + headerLength + chunkOverhead),
    decodingBytes,
    leastBytes: Math.floor(rows / mostDeflated),
  })
}
