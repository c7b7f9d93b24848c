/** Builds small files that are large images, have many parts, or are deeply nested. */
import { deflateSync } from 'node:zlib'
import { pngOf } from './png-fixtures.js'

const uint16 = (value: number): readonly number[] => [(value >> 8) & 255, value & 255]

type FlatJpeg = {
  readonly width: number
  readonly height: number
  /** Progressive scans over all blocks, each of a few bytes. A baseline JPEG if omitted. */
  readonly scans?: number
  readonly components?: 1 | 3
}

/** A Huffman table with a single code, the bit 0, so that an image of one colour is a run of zeros. */
const huffmanTable = (classAndId: number, symbol: number): readonly number[] => [
  0xff,
  0xc4,
  0,
  20,
  classAndId,
  1,
  ...Array.from({ length: 15 }, () => 0),
  symbol,
]

/** The code for 16 384 empty blocks. */
const longestRun = 0xe0
const blocksInRun = 16_384

/** The start of a JPEG and of its quantization table. */
const startAndTable = [0xff, 0xd8, 0xff, 0xdb, 0, 67, 0] as const

/** A grey JPEG with all its pixels. */
export const flatJpeg = ({ width, height, scans, components = 1 }: FlatJpeg): Uint8Array => {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const ids = Array.from({ length: components }, (_, at) => at + 1)
  const head = Buffer.from([
    ...startAndTable,
    ...Array.from({ length: 64 }, () => 1),
    0xff,
    scans === undefined ? 0xc0 : 0xc2,
    0,
    8 + 3 * components,
    8,
    ...uint16(height),
    ...uint16(width),
    components,
    ...ids.flatMap((id) => [id, 0x11, 0]),
    ...huffmanTable(0x00, 0),
    ...huffmanTable(0x10, scans === undefined ? 0 : longestRun),
  ])
  const scan = (of: readonly number[], first: number, last: number, bits: number): Buffer =>
    Buffer.concat([
      Buffer.from([
        0xff,
        0xda,
        0,
        6 + 2 * of.length,
        of.length,
        ...of.flatMap((id) => [id, 0]),
        first,
        last,
        0,
      ]),
      Buffer.alloc(Math.ceil(bits / 8)),
    ])
  const pixels =
    scans === undefined
      ? [scan(ids, 0, 63, blocks * 2 * components)]
      : [
          scan(ids, 0, 0, blocks * components),
          ...Array.from({ length: scans }, () => scan([1], 1, 63, Math.ceil(blocks / blocksInRun) * 15)),
        ]
  return Buffer.concat([head, ...pixels, Buffer.from([0xff, 0xd9])])
}

/** A black PNG with all its pixels. */
export const flatPng = (
  width: number,
  height: number,
  { depth = 8, colourType = 0, interlaced = false }: Partial<Parameters<typeof pngOf>[0]> = {},
): Uint8Array => {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType]
  const rows = new Uint8Array(
    (Math.ceil((width * samples * depth) / 8) + 1) * height + (interlaced ? height * 8 : 0),
  )
  const palette = [['PLTE', Uint8Array.of(0, 0, 0)]] as const
  return pngOf({
    width,
    height,
    depth,
    colourType,
    interlaced,
    rows,
    before: colourType === 3 ? palette : [],
  })
}

/** The content of a PNG chunk that inflates to this number of bytes. */
export const inflating = (start: string, bytes: number): Uint8Array =>
  Buffer.concat([Buffer.from(start, 'latin1'), deflateSync(Buffer.alloc(bytes))])

const gifHead = (width: number, height: number): Buffer => {
  const head = Buffer.from('GIF89a....\x81\0\0', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return Buffer.concat([head, Buffer.alloc(12)])
}

const descriptor = (width: number, height: number): Buffer => {
  const bytes = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  bytes.writeUInt16LE(width, 5)
  bytes.writeUInt16LE(height, 7)
  return bytes
}

const subBlocks = (bytes: Buffer, length = 255): Buffer => {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += length) {
    const block = bytes.subarray(at, at + length)
    blocks.push(Buffer.from([block.length]), block)
  }
  return Buffer.concat([...blocks, Buffer.from([0])])
}

/** LZW codes of an image of one colour. Each is for a longer run than the previous one, until the table is full. */
const longestRuns = (pixels: number): Buffer => {
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  const put = (code: number, length: number): void => {
    bits |= code << count
    for (count += length; count >= 8; count -= 8) {
      bytes.push(bits & 255)
      bits >>= 8
    }
  }
  put(4, 3)
  put(0, 3)
  let [written, next, length] = [1, 6, 3]
  for (let run = 2; written < pixels; written += run) {
    put(Math.min(next, 4095), length)
    if (next < 4095) {
      next += 1
      run += 1
      if (next >= 2 ** length && length < 12) length += 1
    }
  }
  put(5, length)
  return Buffer.from([...bytes, bits & 255])
}

/** A GIF of one colour, with the highest compression. */
export const flatGif = (width: number, height: number, blockLength = 255): Uint8Array =>
  Buffer.concat([
    gifHead(width, height),
    descriptor(width, height),
    subBlocks(longestRuns(width * height), blockLength),
    Buffer.from([0x3b]),
  ])

/** A GIF with one frame of this size and these codes. */
export const gifWithFrame = (
  screen: readonly [number, number],
  frame: readonly [number, number],
  codes: Uint8Array = Uint8Array.of(0x44, 0x01),
): Uint8Array =>
  Buffer.concat([
    gifHead(...screen),
    descriptor(...frame),
    subBlocks(Buffer.from(codes)),
    Buffer.from([0x3b]),
  ])

/** A GIF with this number of frames of one pixel, without a trailer if `isEnded` is false. */
export const gifOfFrames = (frames: number, isEnded = true): Uint8Array => {
  const frame = Buffer.concat([descriptor(1, 1), subBlocks(Buffer.of(0x44, 0x01))])
  return Buffer.concat([
    gifHead(1000, 1000),
    descriptor(1000, 1000),
    subBlocks(longestRuns(1_000_000)),
    ...Array.from({ length: frames }, () => frame),
    ...(isEnded ? [Buffer.from([0x3b])] : []),
  ])
}
