/**
 * Reduces a GIF to its first frame, without other frames and comments. Returns `undefined` if the data is damaged or
 * ends within that frame, or if the frame exceeds the screen.
 */
import { areGifCodesValid } from './gif-codes.js'

const screenEnd = 13
const extension = 0x21
const graphicControl = 0xf9
const imageDescriptor = 0x2c
const descriptorLength = 10
const trailer = Buffer.from([0x3b])

/** The highest compression of LZW in a GIF: codes of 12 bits for runs of up to 3838 pixels. */
const maxPixelsPerByte = 2560

const paletteBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** The offset after the chain of sub-blocks at `start`; undefined if the data ends within it. */
const afterSubBlocks = (gif: Buffer, start: number): number | undefined => {
  let at = start
  for (;;) {
    const length = gif[at]
    if (length === undefined) return undefined
    at += length + 1
    if (length === 0) return at
  }
}

const frameEnd = (gif: Buffer, at: number): number | undefined => {
  if (at + descriptorLength > gif.length) return undefined
  const left = gif.readUInt16LE(at + 1)
  const top = gif.readUInt16LE(at + 3)
  const width = gif.readUInt16LE(at + 5)
  const height = gif.readUInt16LE(at + 7)
  const onScreen =
    width > 0 && height > 0 && left + width <= gif.readUInt16LE(6) && top + height <= gif.readUInt16LE(8)
  if (!onScreen) return undefined
  const codes = at + descriptorLength + paletteBytes(gif.readUInt8(at + 9))
  const end = afterSubBlocks(gif, codes + 1)
  // omggif allocates a byte for each pixel before it reads the first one.
  if (end === undefined || width * height > (end - at) * maxPixelsPerByte) return undefined
  return areGifCodesValid(gif, codes) ? end : undefined
}

export const gifFirstFrame = (gif: Buffer): Buffer | undefined => {
  let control = Buffer.alloc(0)
  let at = screenEnd + paletteBytes(gif.readUInt8(10))
  const head = gif.subarray(0, at)
  while (at + 2 <= gif.length) {
    const kind = gif.readUInt8(at)
    const end = kind === imageDescriptor ? frameEnd(gif, at) : afterSubBlocks(gif, at + 2)
    if (end === undefined) return undefined
    const block = gif.subarray(at, end)
    if (kind === imageDescriptor) return Buffer.concat([head, control, block, trailer])
    if (kind !== extension) return undefined
    if (block[1] === graphicControl) control = Buffer.from(block)
    at = end
  }
  return undefined
}
