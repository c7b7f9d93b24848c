/** The headers of all formats, and that no input makes the reader throw or take long. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { longestPiece } from './header-reader.js'
import {
  bmpHeader,
  bytesOf,
  chunk,
  exif,
  extendedWebp,
  gifHeader,
  jpegHeader,
  losslessWebp,
  lossyWebp,
  pngHeader,
  riffChunk,
  segment,
} from './image-bytes.test-data.js'
import type { ImageHeader } from './image-header.js'
import { readImageHeader, startImageHeader, uprightSize } from './read-image-header.js'

const signatures: readonly Uint8Array[] = [
  bytesOf([0xff, 0xd8, 0xff]),
  pngHeader(1, 1).slice(0, 8),
  bytesOf('GIF89a'),
  bytesOf('RIFF', [0, 0, 0, 0], 'WEBPVP8X'),
  bytesOf('BM'),
  bytesOf([0, 0, 0, 24], 'ftypavif', [0, 0, 0, 0], 'avifmif1'),
  bytesOf('<svg width="'),
]

const header = (data: Uint8Array): ImageHeader => {
  const read = readImageHeader(data)
  if (E.isLeft(read)) throw new Error(read.left)
  return read.right
}

const reason = (data: Uint8Array): string => {
  const read = readImageHeader(data)
  return E.isLeft(read) ? read.left : 'readable'
}

const exifSegment = (orientation: number): Uint8Array =>
  segment(0xe1, bytesOf('Exif', 0, 0, exif(orientation)))

const headers: Readonly<Record<string, Uint8Array>> = {
  'image/jpeg': jpegHeader(33, 20, { before: exifSegment(1) }),
  'image/png': pngHeader(33, 20),
  'image/gif': gifHeader(33, 20),
  'image/webp': extendedWebp(33, 20, 8, riffChunk('VP8 ', bytesOf(0)), riffChunk('EXIF', exif(1))),
  'image/bmp': bmpHeader({ depth: 24 }),
}

const inPieces = (data: Uint8Array, pieces: readonly number[]): unknown => {
  const reading = startImageHeader()
  let at = 0
  for (const length of pieces) {
    reading.push(data.subarray(at, at + length))
    at += length
  }
  reading.push(data.subarray(at))
  return reading.end()
}

describe('the header of an image', () => {
  for (const [mimetype, data] of Object.entries(headers))
    it(`of ${mimetype} returns format and size, however it is split`, () => {
      expect(header(data)).to.include({ mimetype, width: 33, height: 20, orientation: 1 })
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }), (pieces) => {
          expect(inPieces(data, pieces)).to.deep.equal(readImageHeader(data))
        }),
      )
    })

  it('never throws and never returns an impossible size, for any bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 400 }), (signature, rest) => {
        const reading = startImageHeader()
        reading.push(bytesOf(signature, rest))
        const read = reading.end()
        if (E.isLeft(read)) return read.left.length > 0
        return [read.right.width, read.right.height].every((side) => side > 0 && side <= 1_000_000)
      }),
      { numRuns: 3000 },
    )
  })

  it('is searched in a limited number of parts', () => {
    const comments = new Uint8Array(6000 * 4)
    for (let at = 0; at + 4 <= comments.length; at += 4) comments.set([0xff, 0xfe, 0, 2], at)
    const chunks = new Uint8Array(6000 * 12)
    for (let at = 0; at + 12 <= chunks.length; at += 12) chunks.set(bytesOf('tEXt'), at + 4)
    const jpeg = startImageHeader()
    jpeg.push(bytesOf([0xff, 0xd8]))
    jpeg.push(comments)
    expect(jpeg.isDone()).to.equal(true)
    expect(jpeg.end()).to.deep.equal(E.left('The image is broken or cut short: its header cannot be read.'))
    const png = startImageHeader()
    png.push(pngHeader(3, 2))
    png.push(chunks)
    expect(png.isDone()).to.equal(true)
    expect(png.end()).to.have.nested.property('right.width', 3)
    for (const fill of [0xff, 0])
      expect(reason(bytesOf([0xff, 0xd8, 0xff], new Uint8Array(9000).fill(fill)))).to.contain(
        'cannot be read',
      )
  })

  it('is found after megabytes of metadata', () => {
    const profile = new Uint8Array(65_537)
    profile.set([0xff, 0xe2, 0xff, 0xff])
    const reading = startImageHeader()
    reading.push(bytesOf([0xff, 0xd8]))
    for (let part = 0; part < 60; part += 1) reading.push(profile)
    reading.push(jpegHeader(30, 20, { before: exifSegment(6) }).slice(2))
    expect(reading.end()).to.deep.include({ right: header(jpegHeader(30, 20, { before: exifSegment(6) })) })
  })

  it('returns the orientation of each format that has one', () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
      const block = exif(orientation)
      for (const data of [
        jpegHeader(30, 20, { before: exifSegment(orientation) }),
        bytesOf(pngHeader(30, 20), chunk('eXIf', block)),
        extendedWebp(30, 20, 8, riffChunk('VP8 ', new Uint8Array(99_999)), riffChunk('EXIF', block)),
        extendedWebp(30, 20, 8, riffChunk('EXIF', bytesOf('Exif', 0, 0, block))),
      ]) {
        const read = header(data)
        expect(read.orientation).to.equal(orientation)
        expect(uprightSize(read).width).to.equal(orientation >= 5 ? 20 : 30)
      }
    }
  })

  it('is upright if the EXIF block is invalid, or after the pixels of a PNG', () => {
    const late = bytesOf(pngHeader(30, 20), chunk('IDAT', bytesOf(1)), chunk('eXIf', exif(6)))
    const long = bytesOf(pngHeader(30, 20), chunk('eXIf', bytesOf(exif(6), new Uint8Array(longestPiece))))
    expect([header(late).orientation, header(long).orientation]).to.deep.equal([1, 6])
    for (const block of [exif(0), exif(9), exif(6).slice(0, 15), bytesOf('II', 0, 42), bytesOf(1, 2, 3)])
      expect(header(bytesOf(pngHeader(30, 20), chunk('eXIf', block))).orientation).to.equal(1)
  })

  it('of a WebP is read in its three kinds', () => {
    for (const data of [lossyWebp(300, 200), losslessWebp(300, 200), extendedWebp(300, 200, 0)])
      expect(header(data)).to.include({ mimetype: 'image/webp', width: 300, height: 200, orientation: 1 })
    expect(reason(bytesOf('RIFF....WEBPVP9 ', new Uint8Array(20)))).to.contain('cannot be read')
    expect(reason(bytesOf('RIFF....WAVEfmt ', new Uint8Array(20)))).to.contain('cannot be read')
  })

  it('of a BMP is read in the kinds that are decoded rightly', () => {
    for (const depth of [1, 8, 24, 32])
      expect(header(bmpHeader({ depth })), `${depth} bits`).to.include({ width: 33, height: 20 })
    expect(header(bmpHeader({ depth: 24, height: -20 })), 'from the top').to.include({ height: 20 })
    for (const kind of [
      { depth: 4 },
      { depth: 16 },
      { depth: 8, compression: 1 },
      { depth: 24, headerLength: 12 },
      { depth: 24, gap: 2 },
    ])
      expect(reason(bmpHeader(kind)), JSON.stringify(kind)).to.contain('not supported')
  })

  it('of a JPEG that no browser shows has that reason', () => {
    for (const frame of [0xc3, 0xc5, 0xc9, 0xcb])
      expect(reason(jpegHeader(30, 20, { frame }))).to.contain('not supported')
    expect(reason(jpegHeader(30, 20, { frame: 0xc1, depth: 12 }))).to.contain('not supported')
  })

  it('distinguishes an unknown format from a damaged image', () => {
    for (const data of [bytesOf(), bytesOf('<svg/>'), bytesOf('%PDF-1.7'), bytesOf([0xff, 0xd8])])
      expect(reason(data)).to.equal('The data is not an image in a known format (JPEG, PNG, GIF, WebP, BMP).')
    expect(reason(bytesOf(0xff, 0xd8, 0xff))).to.contain('cannot be read')
    for (const data of [pngHeader(0, 2), pngHeader(2, 0), pngHeader(1_000_001, 1), gifHeader(0, 3)])
      expect(reason(data)).to.contain('cannot be read')
  })

  it('knows the fewest bytes that its pixels can be in', () => {
    expect(header(jpegHeader(8000, 8000)).leastBytes).to.equal(375_000)
    expect(header(jpegHeader(8000, 8000, { frame: 0xc2 })).leastBytes).to.equal(187_500)
    expect(header(pngHeader(8000, 8000)).leastBytes).to.equal(248_069)
  })
})
