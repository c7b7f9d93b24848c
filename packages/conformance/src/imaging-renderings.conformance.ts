/** The part of the imaging suite about formats, qualities, regions and summaries. */
import type { MadeFormat, Quality, Rendering } from '@publishing-service/domain/images'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { avifSize } from './avif-fixtures.js'
import {
  bodyOf,
  cmykJpeg,
  colourDistance,
  decoded,
  edgeCases,
  exifBlock,
  jpegOf,
  meanColour,
  otherFormats,
  palettePng,
  photograph,
  pixels,
  pngOf,
  pngRows,
  quarterColours,
  quarters,
  storedWithOrientation,
  withExif,
  type Colour,
  type Pixels,
} from './imaging-fixtures.js'
import { expectUnreadable, infoOf, scaledTo, valueOfResult, type ImagingSuite } from './imaging-suite.js'

const whole = [0, 0, 1, 1] as const
const white: Colour = [255, 255, 255, 255]
const red: Colour = [220, 20, 30, 255]

/** Red on the right, and transparent on the left. */
const halfTransparent = pngOf({
  width: 40,
  height: 32,
  depth: 8,
  colourType: 6,
  rows: pngRows(40, 32, (x) => [220, 20, 30, x < 20 ? 0 : 255]),
})

const locatedJpeg = withExif(jpegOf(quarters(60, 40)), exifBlock(6, true))

const traces = ['Exif', 'EXIF', 'GPS', 'MM\0*', 'II*\0', 'http']

export const renderings = ({ render, scale, imaging }: ImagingSuite): void => {
  const rendered = async (data: Uint8Array, rendering: Partial<Rendering>): Promise<Uint8Array> =>
    valueOfResult(await render(data, { ...scaledTo({ width: 20, height: 16 }), ...rendering }))

  /** The pixels of an image that the adapter can read. */
  const shown = async (image: Uint8Array): Promise<Pixels> => {
    const { width, height } = infoOf(image)
    return decoded(await rendered(image, { size: { width, height }, format: 'image/png' }))
  }

  describe('A scaled image has exactly the requested size, and the requested format or that of the original.', () => {
    it('makes WebP, JPEG and PNG at least', () => {
      expect(imaging().makes).to.include.members(['image/webp', 'image/jpeg', 'image/png'])
    })

    for (const [name, { data, mimetype }] of Object.entries({ ...edgeCases, ...otherFormats }))
      it(`each format is made of ${name}`, async () => {
        if (!imaging().formats.includes(mimetype)) return
        const size = { width: 9, height: 14 }
        for (const format of imaging().makes) {
          const image = await rendered(data, { size, format })
          if (format === 'image/avif') expect(avifSize(image), format).to.deep.equal(size)
          else expect(infoOf(image)).to.deep.equal({ mimetype: format, ...size })
          // docs/images.md: a derivative has no metadata.
          for (const trace of traces)
            expect(Buffer.from(image).includes(trace, 0, 'latin1'), trace).to.equal(false)
        }
      })

    it('no format has the location of a photograph', async () => {
      for (const format of imaging().makes) {
        const image = Buffer.from(await rendered(locatedJpeg, { format }))
        for (const trace of traces)
          expect(image.includes(trace, 0, 'latin1'), `${format} ${trace}`).to.equal(false)
      }
    })

    it('a photograph has the same colours in each format', async () => {
      const original = await photograph('coffee.png')
      const size = { width: 150, height: 100 }
      const expected = meanColour(decoded(original), whole)
      for (const format of ['image/webp', 'image/jpeg', 'image/png'] as const)
        expect(
          colourDistance(
            meanColour(await shown(await rendered(original, { size, format })), whole),
            expected,
          ),
          format,
        ).to.be.below(4)
    })
  })

  describe('A scaled image shows the requested region of the upright original.', () => {
    const size = { width: 12, height: 8 }
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
      it(`of orientation ${orientation}`, async () => {
        const stored = jpegOf(storedWithOrientation(orientation, quarters(96, 64)))
        const image = withExif(stored, exifBlock(orientation, true))
        for (const [at, colour] of quarterColours.entries()) {
          const region = { left: at % 2 === 0 ? 8 : 56, top: at < 2 ? 4 : 36, width: 30, height: 20 }
          const part = await rendered(image, { size, region })
          expect(infoOf(part)).to.deep.equal({ mimetype: 'image/jpeg', ...size })
          expect(colourDistance(meanColour(decoded(part), whole), colour), `quarter ${at}`).to.be.below(12)
        }
      })

    it('of a PNG, to the pixel', async () => {
      const columns = pngOf({
        width: 40,
        height: 20,
        depth: 8,
        colourType: 2,
        rows: pngRows(40, 20, (x) => [x * 6, 0, 0]),
      })
      const region = { left: 7, top: 3, width: 5, height: 4 }
      const part = decoded(await rendered(columns, { size: { width: 5, height: 4 }, region }))
      expect([0, 1, 2, 3, 4].map((x) => part.data[x * 4])).to.deep.equal([42, 48, 54, 60, 66])
    })
  })

  describe('Each format that the adapter makes has fewer bytes at a lower quality, unless it has no quality.', () => {
    it('of a photograph', async () => {
      const original = await photograph('rocket.jpg')
      const size = { width: 160, height: 107 }
      const bytesOf = async (format: MadeFormat, quality: Quality): Promise<number> =>
        (await rendered(original, { size, format, quality })).length
      for (const format of imaging().makes) {
        const bytes: number[] = []
        for (const quality of ['low', 'medium', 'high', 'best'] as const)
          bytes.push(await bytesOf(format, quality))
        const expected =
          format === 'image/png' ? bytes.map(() => bytes[0]) : [...new Set(bytes)].toSorted((a, b) => a - b)
        expect(bytes, format).to.deep.equal(expected)
      }
    })
  })

  describe('Transparency is preserved, except in JPEG, where what was transparent is white.', () => {
    const [left, right] = [
      [0.05, 0.1, 0.4, 0.9],
      [0.6, 0.1, 0.95, 0.9],
    ] as const

    it('in PNG and WebP', async () => {
      for (const format of ['image/png', 'image/webp'] as const) {
        const image = await shown(await rendered(halfTransparent, { format }))
        expect(meanColour(image, left)[3], format).to.be.below(3)
        expect(colourDistance(meanColour(image, right), red), format).to.be.below(14)
      }
    })

    it('in JPEG', async () => {
      const image = decoded(await rendered(halfTransparent, { format: 'image/jpeg' }))
      expect(colourDistance(meanColour(image, left), white)).to.be.below(8)
      expect(colourDistance(meanColour(image, right), red)).to.be.below(14)
    })
  })

  describe('A summary has the average colour of the visible pixels, whether all are opaque, and a WebP of at most 16 × 16 pixels.', () => {
    const summary = async (data: Uint8Array) =>
      valueOfResult(await imaging().summarise(bodyOf(new Uint8Array(data)))())

    it('of a turned photograph', async () => {
      const blue: Colour = [30, 60, 200, 255]
      const image = withExif(jpegOf(pixels(120, 80, () => blue)), exifBlock(6, true))
      const { colour, isOpaque, picture } = await summary(image)
      const [red_ = 0, green = 0, blue_ = 0] = Buffer.from(colour.slice(1), 'hex')
      expect(colour).to.match(/^#[0-9a-f]{6}$/)
      expect(colourDistance([red_, green, blue_, 255], blue)).to.be.below(5)
      expect(isOpaque).to.equal(true)
      expect(infoOf(Buffer.from(picture, 'base64'))).to.deep.equal({
        mimetype: 'image/webp',
        width: 11,
        height: 16,
      })
    })

    it('of an image with transparency', async () => {
      const { colour, isOpaque } = await summary(halfTransparent)
      const [red_ = 0, green = 0, blue = 0] = Buffer.from(colour.slice(1), 'hex')
      expect(colourDistance([red_, green, blue, 255], red)).to.be.below(5)
      expect(isOpaque).to.equal(false)
      expect(await summary(palettePng(40))).to.have.property('isOpaque', false)
    })

    it('one transparent pixel of many counts', async () => {
      const speck = pngOf({
        width: 300,
        height: 200,
        depth: 8,
        colourType: 6,
        rows: pngRows(300, 200, (x, y) => [9, 9, 9, x === 130 && y === 70 ? 254 : 255]),
      })
      expect(await summary(speck)).to.have.property('isOpaque', false)
    })

    it('is short for photographs', async () => {
      for (const file of ['rocket.jpg', 'chelsea.png']) {
        const { picture, isOpaque } = await summary(await photograph(file))
        expect(picture.length, file).to.be.below(350)
        expect(isOpaque).to.equal(true)
      }
    })

    it('of unusual images', async () => {
      for (const [name, { data, mimetype }] of Object.entries({ ...edgeCases, ...otherFormats }))
        if (imaging().formats.includes(mimetype)) expect((await summary(data)).colour, name).to.match(/^#/)
      const other = await imaging().summarise(bodyOf(new Uint8Array(cmykJpeg)))()
      if (imaging().cmyk) valueOfResult(other)
      else expectUnreadable(other)
    })

    it('data that is not an image is unreadable', async () => {
      expectUnreadable(await imaging().summarise(bodyOf(Buffer.from('not an image')))())
      valueOfResult(await scale(palettePng(8), { width: 4, height: 4 }))
    })
  })
}
