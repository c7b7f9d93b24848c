/** PNGs of every kind, created chunk by chunk. */
import { crc32, deflateSync } from 'node:zlib'

export const pngChunk = (type: string, content: Uint8Array): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

export type PngParts = {
  readonly width: number
  readonly height: number
  /** Bits per sample. */
  readonly depth: 1 | 2 | 4 | 8 | 16
  /** 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha. */
  readonly colourType: 0 | 2 | 3 | 4 | 6
  readonly interlaced?: boolean
  /** The rows before compression, each with its filter byte first. */
  readonly rows: Uint8Array
  /** Chunks between the header and the pixels, by type. */
  readonly before?: readonly (readonly [type: string, content: Uint8Array])[]
}

export const pngOf = (parts: PngParts): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(parts.width, 0)
  header.writeUInt32BE(parts.height, 4)
  header.set([parts.depth, parts.colourType, 0, 0, parts.interlaced === true ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...(parts.before ?? []).map(([type, content]) => pngChunk(type, content)),
    pngChunk('IDAT', deflateSync(parts.rows)),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

/** Rows of unfiltered samples: `sampleAt` returns the bytes of one pixel. */
export const pngRows = (
  width: number,
  height: number,
  sampleAt: (x: number, y: number) => readonly number[],
): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: height }, (_, y) => [
      0,
      ...Array.from({ length: width }, (__, x) => sampleAt(x, y)).flat(),
    ]).flat(),
  )

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** The rows of an interlaced PNG: seven passes, each a smaller image. */
export const interlacedPngRows = (
  width: number,
  height: number,
  sampleAt: (x: number, y: number) => readonly number[],
): Uint8Array =>
  Buffer.concat(
    adam7.map(([left, top, stepX, stepY]) => {
      const columns = Math.max(0, Math.ceil((width - left) / stepX))
      const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - top) / stepY))
      return pngRows(columns, rows, (x, y) => sampleAt(left + x * stepX, top + y * stepY))
    }),
  )

/** A red square on a transparent background, with a palette. */
export const palettePng = (side: number): Uint8Array =>
  pngOf({
    width: side,
    height: side,
    depth: 8,
    colourType: 3,
    rows: pngRows(side, side, (x, y) => [
      Math.min(x, y) >= side / 4 && Math.max(x, y) < (side * 3) / 4 ? 1 : 0,
    ]),
    before: [
      ['PLTE', Uint8Array.of(255, 255, 255, 220, 20, 30)],
      ['tRNS', Uint8Array.of(0, 255)],
    ],
  })
