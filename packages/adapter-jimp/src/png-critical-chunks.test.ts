/**
 * The part of a PNG that is passed to the decoder: the chunks that the pixels need, verified.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { deflateSync } from 'node:zlib'
import { pngHeader } from './image-samples.test-data.js'
import { pngCriticalChunks } from './png-critical-chunks.js'

const { palettePng, pngChunk, seededBytes } = imagingFixtures
const png = Buffer.from(palettePng(20))
const end = pngChunk('IEND', new Uint8Array(0))

describe('the critical chunks of a PNG', () => {
  it('are returned without other chunks and trailing bytes', () => {
    const text = pngChunk('tEXt', Buffer.from('GPSLatitude\0 48.2'))
    const withMetadata = Buffer.concat([png.subarray(0, 33), text, png.subarray(33), seededBytes(500, 2)])
    expect(pngCriticalChunks(withMetadata)).to.deep.equal(png)
  })

  it('have the pixels in one chunk, however many the original has', () => {
    const at = png.indexOf('IDAT') - 4
    const length = png.readUInt32BE(at)
    const pixels = png.subarray(at + 8, at + 8 + length)
    const scattered = Buffer.concat([
      png.subarray(0, at),
      ...Array.from(pixels, (byte) => pngChunk('IDAT', Uint8Array.of(byte))),
      end,
    ])
    expect(pngCriticalChunks(scattered)).to.deep.equal(png)
  })

  it('are undefined if a checksum is wrong or the data ends, up to the end of the pixels', () => {
    const endAt = png.length - end.length
    for (let at = 8; at < png.length; at += 1) {
      const damaged = Buffer.from(png)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at)
      const expected = at < endAt ? undefined : png
      expect(pngCriticalChunks(damaged), `byte ${at}`).to.deep.equal(expected)
      expect(pngCriticalChunks(png.subarray(0, at)), `${at} bytes`).to.deep.equal(expected)
    }
  })

  const picture = (interlaced: boolean, bytes: number): Buffer =>
    Buffer.concat([pngHeader(100, 90, interlaced), pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))), end])

  for (const [name, interlaced, rows] of [
    ['interlaced', true, 100 * 90 * 4 + 12 + 12 + 11 + 23 + 22 + 45 + 45],
    ['non-interlaced', false, 401 * 90],
  ] as const)
    it(`are undefined if ${name} data has too few rows, or far too many`, () => {
      expect(pngCriticalChunks(picture(interlaced, rows))).to.not.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, rows + 1000))).to.not.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, rows - 1))).to.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, 10_000_000))).to.equal(undefined)
    })
})
