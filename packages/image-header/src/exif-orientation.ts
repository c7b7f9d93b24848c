/**
 * The orientation in an EXIF block, at any offset. A broken block is read as upright: it is no
 * reason to reject an image.
 */
import type { Orientation } from './image-header.js'

const orientationTag = 0x0112
const short = 3
const long = 4
const entryLength = 12

const isOrientation = (value: number): value is Orientation =>
  Number.isInteger(value) && value >= 1 && value <= 8

const orientationInDirectory = (block: DataView, at: number, littleEndian: boolean): Orientation => {
  const entries = block.getUint16(at, littleEndian)
  for (let entry = 0; entry < entries; entry += 1) {
    const start = at + 2 + entry * entryLength
    if (block.getUint16(start, littleEndian) !== orientationTag) continue
    const type = block.getUint16(start + 2, littleEndian)
    if (type !== short && type !== long) return 1
    const value =
      type === short ? block.getUint16(start + 8, littleEndian) : block.getUint32(start + 8, littleEndian)
    return isOrientation(value) ? value : 1
  }
  return 1
}

/** `block` starts at the byte order mark (`II` or `MM`). */
export const readExifOrientation = (block: DataView): Orientation => {
  try {
    const order = block.getUint16(0)
    if (order !== 0x4949 && order !== 0x4d4d) return 1
    const littleEndian = order === 0x4949
    if (block.getUint16(2, littleEndian) !== 42) return 1
    return orientationInDirectory(block, block.getUint32(4, littleEndian), littleEndian)
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}
