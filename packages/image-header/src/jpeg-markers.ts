/** The markers of JPEGs. */

export const startOfScan = 0xda
export const endOfImage = 0xd9
export const fillByte = 0xff
export const stuffing = 0x00
const startOfImage = 0xd8

/** The markers that no length and content follow. */
export const withoutLength: ReadonlySet<number> = new Set([
  0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7,
])

type JpegSegment = { readonly code: number; readonly content: Uint8Array }

/**
 * The segments of a whole JPEG, up to and with the end marker if there is one. The content, without the length, is
 * shorter than declared if the data ends within it.
 */
export function* jpegSegments(data: Uint8Array): Generator<JpegSegment> {
  for (let at = 2; ;) {
    const next = data.indexOf(fillByte, at)
    const code = next < 0 ? undefined : data[next + 1]
    if (code === undefined) return
    if (code === fillByte || code === stuffing || code === startOfImage || withoutLength.has(code)) {
      at = next + (code === fillByte ? 1 : 2)
      continue
    }
    const length = ((data[next + 2] ?? 0) << 8) | (data[next + 3] ?? 0)
    yield { code, content: data.subarray(next + 4, next + 2 + Math.max(length, 2)) }
    if (code === endOfImage) return
    at = next + 2 + length
  }
}
