/**
 * Data with more parts than any encoder writes is made to use the time or the memory of a decoder: each part needs a
 * few bytes and can cost as much as an image. Counting ends at the limit and reads each byte at most once.
 */
import type { ImageHeader } from './image-header.js'

/** What libvips allows; encoders write ten. */
export const mostScans = 100

/** The chunks of the largest upload, if each contains 1 KB of pixels. */
const mostChunks = 20_000

const hasTooManyScans = (data: Uint8Array): boolean => {
  let scans = 0
  // Not with indexOf: data full of one of the two bytes would make many searches of it.
  for (let at = 0; at + 1 < data.length && scans <= mostScans; at += 1)
    if (data[at] === 0xff && data[at + 1] === 0xda) scans += 1
  return scans > mostScans
}

const hasTooManyChunks = (
  data: Uint8Array,
  start: number,
  lengthAt: (view: DataView, at: number) => number,
): boolean => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = start
  for (let chunks = 0; chunks <= mostChunks; chunks += 1) {
    if (at + 8 > data.length) return false
    at += lengthAt(view, at)
  }
  return true
}

/** Why the data isn't scaled, for a client; null where it is. */
export const tooManyParts = (header: ImageHeader, data: Uint8Array): string | null => {
  if (header.mimetype === 'image/jpeg')
    return header.multiScan && hasTooManyScans(data) ? `The image has more than ${mostScans} scans.` : null
  const isOver =
    (header.mimetype === 'image/png' && hasTooManyChunks(data, 8, (view, at) => 12 + view.getUint32(at))) ||
    (header.mimetype === 'image/webp' &&
      hasTooManyChunks(data, 12, (view, at) => 8 + 2 * Math.ceil(view.getUint32(at + 4, true) / 2)))
  return isOver ? `The image has more than ${mostChunks} chunks.` : null
}
