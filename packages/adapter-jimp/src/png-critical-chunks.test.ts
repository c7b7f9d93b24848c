/**
 * What of a PNG reaches the decoder: the chunks that its pixels need, checked.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { deflateSync } from 'node:zlib'
import { pngHeader } from './image-samples.test-data.js'
import { pngCriticalChunks } from './png-critical-chunks.js'

const { palettePng, pngChunk, rubbish } = imagingFixtures
const png = Buffer.from(palettePng(20))
const end = pngChunk('IEND', new Uint8Array(0))

describe('the critical chunks of a PNG', () => {
  it('are all that stays', () => {
    const text = pngChunk('tEXt', Buffer.from('GPSLatitude\0 48.2'))
    const talkative = Buffer.concat([png.subarray(0, 33), text, png.subarray(33), rubbish(500, 2)])
    expect(pngCriticalChunks(talkative)).to.deep.equal(png)
  })

  it('hold the pixels in one piece, however many they came in', () => {
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

  it('are refused with a wrong checksum or a missing end', () => {
    for (let at = 8; at < png.length; at += 1) {
      const spoilt = Buffer.from(png)
      spoilt.writeUInt8(spoilt.readUInt8(at) ^ 0x10, at)
      expect(pngCriticalChunks(spoilt), `byte ${at}`).to.equal(undefined)
      expect(pngCriticalChunks(png.subarray(0, at)), `${at} bytes`).to.equal(undefined)
    }
  })

  const picture = (interlaced: boolean, bytes: number): Buffer =>
    Buffer.concat([pngHeader(100, 90, interlaced), pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))), end])

  for (const [name, interlaced, rows] of [
    ['interlaced', true, 100 * 90 * 4 + 12 + 12 + 11 + 23 + 22 + 45 + 45],
    ['plain', false, 401 * 90],
  ] as const)
    it(`are refused when the rows of ${name} pixels are not all there, or far too many`, () => {
      expect(pngCriticalChunks(picture(interlaced, rows))).to.not.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, rows + 1000))).to.not.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, rows - 1))).to.equal(undefined)
      expect(pngCriticalChunks(picture(interlaced, 10_000_000))).to.equal(undefined)
    })
})
