/**
 * Applies the EXIF orientation to a bitmap, after scaling, when there are fewer pixels. Jimp would rotate before
 * scaling.
 */
import type { Region, Size } from '@publishing-service/domain/images'
import type { Orientation } from '@publishing-service/image-header'
import type { Bitmap } from './picture.js'

type Source = (x: number, y: number) => number

/** For each pixel of the upright image, its index in the stored one (EXIF 2.3, tag 274). */
const sourceOf = (stored: Size, orientation: Orientation): Source => {
  const right = stored.width - 1
  const bottom = stored.height - 1
  const at = (x: number, y: number): number => y * stored.width + x
  const sources: Readonly<Record<Orientation, Source>> = {
    1: at,
    2: (x, y) => at(right - x, y),
    3: (x, y) => at(right - x, bottom - y),
    4: (x, y) => at(x, bottom - y),
    5: (x, y) => at(y, x),
    6: (x, y) => at(y, bottom - x),
    7: (x, y) => at(right - y, bottom - x),
    8: (x, y) => at(right - y, x),
  }
  return sources[orientation]
}

/** The part of the stored image that is a region of the upright one. */
export const storedRegion = (
  { left, top, width, height }: Region,
  orientation: Orientation,
  stored: Size,
): Region => {
  const source = sourceOf(stored, orientation)
  const [one, other] = [source(left, top), source(left + width - 1, top + height - 1)]
  const columns = [one % stored.width, other % stored.width]
  const rows = [Math.floor(one / stored.width), Math.floor(other / stored.width)]
  return {
    left: Math.min(...columns),
    top: Math.min(...rows),
    width: Math.max(...columns) - Math.min(...columns) + 1,
    height: Math.max(...rows) - Math.min(...rows) + 1,
  }
}

export const upright = (stored: Bitmap, orientation: Orientation): Bitmap => {
  if (orientation === 1) return stored
  const isRotated = orientation >= 5
  const width = isRotated ? stored.height : stored.width
  const height = isRotated ? stored.width : stored.height
  const source = sourceOf(stored, orientation)
  const data = Buffer.allocUnsafe(stored.data.length)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      data.writeUInt32BE(stored.data.readUInt32BE(source(x, y) * 4), (y * width + x) * 4)
  return { data, width, height }
}
