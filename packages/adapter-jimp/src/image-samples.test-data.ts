/**
 * Images for the tests, written byte by byte, of kinds that the sample photographs do not have.
 */
import { imagingFixtures } from '@publishing-service/conformance'

/** Signature and first chunk of a PNG of 8 bits, colour and alpha. */
export const pngHeader = (width: number, height: number, interlaced = false): Buffer => {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(width, 0)
  content.writeUInt32BE(height, 4)
  content.set([8, 6, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    imagingFixtures.pngChunk('IHDR', content),
  ])
}

type BmpKind = {
  readonly depth: number
  readonly compression?: number
  readonly headerLength?: number
  readonly height?: number
  /** Bytes between the palette and the pixels. */
  readonly gap?: number
}

/** A BMP of 33 × 20 pixels: a grey gradient from dark on the left to bright on the right. */
export const bmpOf = ({
  depth,
  compression = 0,
  headerLength = 40,
  height = 20,
  gap = 0,
}: BmpKind): Buffer => {
  const width = 33
  const colours = depth <= 8 ? 2 ** depth : 0
  const palette = Buffer.alloc(colours * 4)
  for (let at = 0; at < colours; at += 1)
    palette.fill(Math.round((at * 255) / (colours - 1)), at * 4, at * 4 + 3)
  const row = Buffer.alloc(Math.ceil((width * depth) / 32) * 4)
  for (let x = 0; x < width; x += 1)
    if (depth >= 8) row.fill(x * 7, (x * depth) / 8, (x * depth) / 8 + Math.min(depth / 8, 3))
    else if (depth === 1 && x >= 16) row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7))
  const head = Buffer.alloc(14 + 40)
  head.write('BM', 'latin1')
  head.writeUInt32LE(14 + headerLength + palette.length + gap, 10)
  head.writeUInt32LE(headerLength, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(depth, 28)
  head.writeUInt32LE(compression, 30)
  return Buffer.concat([head, palette, Buffer.alloc(gap), ...Array.from({ length: 20 }, () => row)])
}
