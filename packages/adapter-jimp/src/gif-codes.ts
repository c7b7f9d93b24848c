/**
 * Checks that the LZW codes of a GIF frame refer only to colours and runs that are already defined. omggif loops
 * endlessly on a run that refers to itself, so it only receives frames that pass this check.
 */

const tableSize = 4096

/** Joins the bytes of a chain of sub-blocks. There may be millions of sub-blocks of one byte. */
const joinSubBlocks = (gif: Buffer, start: number): Buffer => {
  const bytes = Buffer.allocUnsafe(gif.length - start)
  let at = start
  let filled = 0
  for (let length = gif[at] ?? 0; length > 0; length = gif[at] ?? 0) {
    filled += gif.copy(bytes, filled, at + 1, at + 1 + length)
    at += length + 1
  }
  return bytes.subarray(0, filled)
}

/** `at` is the offset of the minimum code size of the frame; the sub-blocks follow it. */
export const areGifCodesValid = (gif: Buffer, at: number): boolean => {
  const colourBits = gif[at] ?? 0
  if (colourBits < 2 || colourBits > 8) return false
  const clear = 2 ** colourBits
  const packed = joinSubBlocks(gif, at + 1)
  let known = clear + 2
  let length = colourBits + 1
  let afterClear = true
  let bits = 0
  let count = 0
  for (let next = 0; ;) {
    while (count < length && next < packed.length) {
      bits |= (packed[next] ?? 0) << count
      next += 1
      count += 8
    }
    if (count < length) return true
    const code = bits & (2 ** length - 1)
    bits >>= length
    count -= length
    if (code === clear + 1) return true
    if (code === clear) {
      known = clear + 2
      length = colourBits + 1
      afterClear = true
      continue
    }
    if (afterClear ? code > clear : code > known) return false
    if (!afterClear && known < tableSize) known += 1
    if (known >= 2 ** length && length < 12) length += 1
    afterClear = false
  }
}
