/** Counts the scans of a JPEG. Each scan decodes the pixels again. */
import { mostScans } from '@publishing-service/image-header'

const marker = { scan: 0xda, end: 0xd9, stuffing: 0x00, fill: 0xff }

const hasNoLength = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd8)

/** The markers and their offsets, up to the end of the image. */
function* jpegMarkers(data: Buffer): Generator<{ readonly code: number; readonly at: number }> {
  let at = 2
  while (at + 4 <= data.length) {
    const next = data.indexOf(0xff, at)
    const code = next < 0 ? undefined : data[next + 1]
    if (code === undefined || code === marker.end) return
    if (code === marker.fill || code === marker.stuffing || hasNoLength(code)) {
      at = next + (code === marker.fill ? 1 : 2)
      continue
    }
    if (next + 4 > data.length) return
    yield { code, at: next }
    at = next + 2 + data.readUInt16BE(next + 2)
  }
}

/** jpeg-js also decodes scans that follow a complete image. */
export const hasTooManyScans = (data: Buffer): boolean => {
  let scans = 0
  for (const { code } of jpegMarkers(data)) {
    if (code === marker.scan) scans += 1
    if (scans > mostScans) return true
  }
  return false
}
