/**
 * What the headers of the four formats are read as, and that no bytes whatever make the reader throw or dawdle.
 */
import { E } from '@publishing-service/domain'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type ImageHeader, uprightSize } from './image-header.js'
import { bmpOf, exifChunk, pngHeader } from './image-header-samples.test-data.js'
import { readImageHeader } from './read-image-header.js'

const signatures: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [...Buffer.from('GIF89a')],
  [0x42, 0x4d],
]

const header = (data: Uint8Array): ImageHeader => {
  const read = readImageHeader(data)
  if (E.isLeft(read)) throw new Error(read.left.reason)
  return read.right
}

const reason = (data: Uint8Array): string => {
  const read = readImageHeader(data)
  return E.isLeft(read) ? read.left.reason : 'readable'
}

describe('the header of an image', () => {
  it('never throws and never gives an impossible size, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 400 }), (signature, bytes) => {
        const read = readImageHeader(Uint8Array.from([...signature, ...bytes]))
        if (E.isLeft(read)) return read.left.reason.length > 0
        return read.right.width > 0 && read.right.height > 0 && read.right.decodingBytes > 0
      }),
      { numRuns: 3000 },
    )
  })

  it('is looked for in a bounded part of the data only', () => {
    const segments = Buffer.alloc(20 << 20)
    for (let at = 0; at + 4 <= segments.length; at += 4) segments.writeUInt32BE(0xfffe0002, at)
    const chunks = Buffer.alloc(20 << 20)
    for (let at = 0; at + 12 <= chunks.length; at += 12) chunks.write('tEXt', at + 4)
    const start = performance.now()
    expect(reason(Buffer.concat([Buffer.from([0xff, 0xd8]), segments]))).to.contain('header cannot be read')
    expect(header(Buffer.concat([pngHeader(3, 2), chunks]))).to.include({ width: 3, height: 2 })
    expect(performance.now() - start).to.be.below(500)
  })

  it('gives the orientation of a PNG, where it stands before the pixels', () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
      const read = header(Buffer.concat([pngHeader(30, 20), exifChunk(orientation)]))
      expect(read.orientation).to.equal(orientation)
      expect(uprightSize(read).width).to.equal(orientation >= 5 ? 20 : 30)
    }
  })

  it('of a PNG counts only with its checksum', () => {
    const png = pngHeader(30, 20)
    png.writeUInt8(31, 19)
    expect(reason(png)).to.contain('header cannot be read')
  })

  it('of a BMP is read in the kinds that are decoded rightly', () => {
    for (const depth of [1, 8, 24, 32])
      expect(header(bmpOf({ depth })), `${depth} bits`).to.include({
        mimetype: 'image/bmp',
        width: 33,
        height: 20,
      })
    expect(header(bmpOf({ depth: 24, height: -20 })), 'from the top').to.include({ width: 33, height: 20 })
    for (const kind of [
      { depth: 4 },
      { depth: 16 },
      { depth: 8, compression: 1 },
      { depth: 24, headerLength: 12 },
      { depth: 24, gap: 2 },
    ])
      expect(reason(bmpOf(kind)), JSON.stringify(kind)).to.contain('not supported')
  })

  it('of a JPEG that the decoder does not know says so', () => {
    for (const kind of [0xc3, 0xc5, 0xc9, 0xcb]) {
      const frame = [0xff, kind, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2]
      expect(reason(Uint8Array.from([0xff, 0xd8, ...frame]))).to.contain('not supported')
    }
    const twelveBits = [0xff, 0xc1, 0, 11, 12, 0, 20, 0, 30, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2]
    expect(reason(Uint8Array.from([0xff, 0xd8, ...twelveBits]))).to.contain('not supported')
  })

  it('tells an unknown format from a broken one', () => {
    expect(reason(Buffer.from('RIFF....WEBPVP8 '))).to.contain('not an image in a known format')
    expect(reason(Uint8Array.of(0xff, 0xd8, 0xff))).to.contain('cannot be read')
  })
})
