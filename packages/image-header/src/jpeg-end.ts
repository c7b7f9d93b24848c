/** Completes JPEGs that have all pixels but no end marker: some cameras omit it, or write zeros in its place. */
import type { ImageHeader, JpegHeader } from './image-header.js'
import { endOfImage, fillByte, jpegSegments, startOfScan, stuffing } from './jpeg-markers.js'
import { mostScans } from './too-many-parts.js'

const endMarker = Uint8Array.of(fillByte, endOfImage)

const lastCoefficient = 63

/**
 * Whether only the end marker is missing: the scans contain each coefficient of each component in full precision. A
 * baseline scan contains all coefficients; a progressive one contains a band of them, at first without the lowest bits.
 * Decoders detect pixels that are missing in the last scan.
 */
const lacksOnlyEnd = (data: Uint8Array, { components, progressive }: JpegHeader): boolean => {
  const done = new Set<string>()
  let scans = 0
  for (const { code, content } of jpegSegments(data)) {
    if (code === endOfImage || scans > mostScans) return false
    if (code !== startOfScan) continue
    scans += 1
    const inScan = content[0] ?? 0
    const [from = 0, to = 0, precision = 0] = content.subarray(1 + inScan * 2)
    if (inScan > components || (progressive && (precision & 15) !== 0)) continue
    const [first, last] = progressive ? [from, Math.min(to, lastCoefficient)] : [0, lastCoefficient]
    for (let part = 0; part < inScan; part += 1)
      for (let each = first; each <= last; each += 1) done.add(`${content[1 + part * 2]} ${each}`)
  }
  return done.size >= components * (lastCoefficient + 1)
}

/** A zero can be the last byte of the pixels, and always is after the byte of a marker. */
const withoutPadding = (data: Uint8Array): Uint8Array => {
  let end = data.length
  while (end > 1 && data[end - 1] === stuffing && data[end - 2] === stuffing) end -= 1
  return data.subarray(0, end)
}

/**
 * The data of an image; of a JPEG that lacks only the end marker, with an end. `afterOnlyScan` is the end of a JPEG
 * that has one scan.
 */
export const withJpegEnd = (
  data: Uint8Array,
  header: ImageHeader,
  afterOnlyScan: Uint8Array = endMarker,
): Uint8Array => {
  // Almost all do, and the segments of a photograph take a fifth of the time that sharp needs for it.
  const endsWithMarker = data.at(-2) === fillByte && data.at(-1) === endOfImage
  if (header.mimetype !== 'image/jpeg' || endsWithMarker || !lacksOnlyEnd(data, header)) return data
  const pixels = withoutPadding(data)
  const end = header.multiScan ? endMarker : afterOnlyScan
  const whole = new Uint8Array(pixels.length + end.length)
  whole.set(pixels)
  whole.set(end, pixels.length)
  return whole
}
