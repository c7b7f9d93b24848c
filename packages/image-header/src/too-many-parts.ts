/**
 * Data that come in more parts than any encoder writes are made to keep a decoder busy, or to have it keep them: each
 * part takes a few bytes and can cost as much as a picture. Counting ends at the limit, or walks over the bytes evenly.
 */
import type { ImageHeader } from './image-header.js'

/** What libvips allows; encoders write ten. */
export const mostScans = 100

/** Pixels in pieces of 1 KB make so many chunks out of the largest upload. */
const mostChunks = 20_000

const hasTooManyScans = (data: Uint8Array): boolean => {
  let scans = 0
  // Searches for one of the two bytes could be led on for ever.
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

/** Why the data aren't scaled, for a client; null where they are. */
export const tooManyParts = (header: ImageHeader, data: Uint8Array): string | null => {
  if (header.mimetype === 'image/jpeg')
    return header.multiScan && hasTooManyScans(data)
      ? `The image comes in more than ${mostScans} scans.`
      : null
  const isOver =
    (header.mimetype === 'image/png' && hasTooManyChunks(data, 8, (view, at) => 12 + view.getUint32(at))) ||
    (header.mimetype === 'image/webp' &&
      hasTooManyChunks(data, 12, (view, at) => 8 + 2 * Math.ceil(view.getUint32(at + 4, true) / 2)))
  return isOver ? `The image comes in more than ${mostChunks} chunks.` : null
}
