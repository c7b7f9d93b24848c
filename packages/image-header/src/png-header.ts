/** A PNG's header: size, and the EXIF orientation (chunk eXIf) where it is before the pixels. */
import { E } from '@publishing-service/domain/fp'
import { readExifOrientation } from './exif-orientation.js'
import { bytes, maxHeaderParts, unreadableHeader, type HeaderReader } from './header-reader.js'
import type { PngHeader } from './image-header.js'
import { pngRowBytes } from './png-row-bytes.js'

const headerLength = 13
const checksumLength = 4
const type = { header: 0x49484452, exif: 0x65584966, pixels: 0x49444154, end: 0x49454e44 }

/** Deflate compresses at most this many bytes into one. */
const maxDeflateRatio = 1032

export function* readPngHeader(): HeaderReader {
  const chunk = yield bytes(8 + headerLength)
  if (chunk.getUint32(0) !== headerLength || chunk.getUint32(4) !== type.header) return unreadableHeader
  const content = new DataView(chunk.buffer, 8)
  const rowBytes = pngRowBytes(content)
  if (rowBytes === undefined) return unreadableHeader
  const header: PngHeader = {
    mimetype: 'image/png',
    width: content.getUint32(0),
    height: content.getUint32(4),
    orientation: 1,
    depth: content.getUint8(8),
    rowBytes,
    interlaced: content.getUint8(12) === 1,
    leastBytes: Math.floor(rowBytes / maxDeflateRatio),
  }
  const upright = E.right(header)
  let skip = checksumLength
  for (let part = 0; part < maxHeaderParts; part += 1) {
    const head = yield bytes(8, skip, upright)
    const length = head.getUint32(0)
    const kind = head.getUint32(4)
    if (kind === type.pixels || kind === type.end) break
    if (kind === type.exif) {
      const block = yield bytes(length, 0, upright)
      return E.right({ ...header, orientation: readExifOrientation(block) })
    }
    skip = length + checksumLength
  }
  return upright
}
