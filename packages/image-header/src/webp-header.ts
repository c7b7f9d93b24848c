/** A WebP's header: the canvas, and the EXIF orientation, which follows the pixels (RFC 9649). */
import { E } from '@publishing-service/domain/fp'
import { readExifOrientation } from './exif-orientation.js'
import {
  bytes,
  maxHeaderParts,
  unreadableHeader,
  type HeaderReader,
  type HeaderResult,
} from './header-reader.js'
import type { ImageHeader } from './image-header.js'

const type = {
  webp: 0x57454250,
  extended: 0x56503858,
  lossy: 0x56503820,
  lossless: 0x5650384c,
  exif: 0x45584946,
}
const keyFrameStart = 0x9d012a
const losslessSignature = 0x2f
const hasExif = 0x08

/** Chunks are padded to an even length. */
const padded = (length: number): number => length + (length % 2)

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

const still = (width: number, height: number): HeaderResult<ImageHeader> =>
  E.right({ mimetype: 'image/webp', width, height, orientation: 1, leastBytes: 0 })

const lossy = (frame: DataView): HeaderResult =>
  frame.getUint16(3) === keyFrameStart >> 8 && frame.getUint8(5) === (keyFrameStart & 0xff)
    ? still(frame.getUint16(6, true) & 0x3fff, frame.getUint16(8, true) & 0x3fff)
    : unreadableHeader

const lossless = (frame: DataView): HeaderResult => {
  const sides = frame.getUint32(1, true)
  return frame.getUint8(0) === losslessSignature
    ? still((sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1)
    : unreadableHeader
}

function* withOrientation(header: ImageHeader): HeaderReader {
  const upright = E.right(header)
  let skip = 0
  for (let part = 0; part < maxHeaderParts; part += 1) {
    const head = yield bytes(8, skip, upright)
    const length = head.getUint32(4, true)
    if (head.getUint32(0) === type.exif) {
      const block = yield bytes(length, 0, upright)
      // Some writers include the prefix that the block has in a JPEG.
      const start = block.byteLength >= 6 && block.getUint32(0) === 0x45786966 ? 6 : 0
      return E.right({ ...header, orientation: readExifOrientation(new DataView(block.buffer, start)) })
    }
    skip = padded(length)
  }
  return upright
}

export function* readWebpHeader(): HeaderReader {
  // After the length of the file.
  const start = yield bytes(22, 4)
  if (start.getUint32(0) !== type.webp) return unreadableHeader
  const kind = start.getUint32(4)
  const frame = new DataView(start.buffer, 12)
  if (kind === type.lossy) return lossy(frame)
  if (kind === type.lossless) return lossless(frame)
  if (kind !== type.extended) return unreadableHeader
  const canvas = still(uint24(frame, 4) + 1, uint24(frame, 7) + 1)
  return E.isRight(canvas) && (frame.getUint8(0) & hasExif) !== 0
    ? yield* withOrientation(canvas.right)
    : canvas
}
