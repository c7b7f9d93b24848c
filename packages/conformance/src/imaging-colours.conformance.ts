/** The part of the imaging suite about animations, colours and metadata. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  animatedWebpOf,
  cmykJpeg,
  colourDistance,
  darkeningProfile,
  decoded,
  exifBlock,
  gifOf,
  hasProfile,
  jpegOf,
  jpegWithProfile,
  meanColour,
  pixels,
  pngOf,
  pngProfile,
  pngRows,
  quarterColours,
  quarters,
  swappingProfile,
  webpWithExif,
  webpWithProfile,
  withExif,
  type Colour,
  type PngParts,
} from './imaging-fixtures.js'
import { expectUnreadable, infoOf, valueOfResult, type ImagingSuite } from './imaging-suite.js'

const whole = [0, 0, 1, 1] as const
const small = { width: 10, height: 8 }
const red: Colour = [220, 20, 30, 255]

const plain = (width: number, height: number, colour: Colour) => pixels(width, height, () => colour)

/** A PNG of 40 × 32 whose pixels have the colour of their column. */
const pngWithProfile = (
  profile: Uint8Array,
  colourType: PngParts['colourType'],
  colourAt: (column: number) => readonly number[],
): Uint8Array =>
  pngOf({
    width: 40,
    height: 32,
    depth: 8,
    colourType,
    rows: pngRows(40, 32, colourAt),
    before: [['iCCP', pngProfile(profile)]],
  })

const mean = (image: Uint8Array): Colour => meanColour(decoded(image), whole)

export const coloursAndFrames = ({ scale, imaging }: ImagingSuite): void => {
  describe('Of an animated image the first frame is scaled, as a still image.', () => {
    it('of a GIF', async () => {
      const scaled = valueOfResult(await scale(gifOf(40, 32, [1, 2, 3]), small))
      expect(infoOf(scaled)).to.deep.equal({ mimetype: 'image/gif', ...small })
      expect(colourDistance(mean(scaled), red)).to.be.below(8)
    })

    it('of a WebP', async () => {
      const blue: Colour = [0, 0, 255, 255]
      const scaled = valueOfResult(await scale(animatedWebpOf(40, 32, [red, blue, blue]), small))
      expect(infoOf(scaled)).to.deep.equal({ mimetype: 'image/webp', ...small })
      expect(Buffer.from(scaled).includes('ANMF')).to.equal(false)
    })

    it('of a WebP whose frame is smaller than its canvas', async () => {
      const scaled = valueOfResult(await scale(animatedWebpOf(40, 32, [red, red], 20), small))
      expect(infoOf(scaled)).to.deep.equal({ mimetype: 'image/webp', ...small })
    })
  })

  describe('Colours are preserved: a scaled image is in sRGB, or has the colour profile of its original; a broken profile counts as none.', () => {
    const green: Colour = [20, 200, 30, 255]
    const swapped: Colour = [200, 20, 30, 255]

    /** Expects the colour of pixels to which `swappingProfile` applies or was applied. */
    const expectSwapped = (scaled: Uint8Array, colour: Colour): void => {
      expect(colourDistance(colour, hasProfile(scaled, swappingProfile) ? green : swapped)).to.be.below(14)
    }

    it('of a JPEG', async () => {
      const scaled = valueOfResult(
        await scale(jpegWithProfile(jpegOf(plain(40, 32, green)), swappingProfile), small),
      )
      expectSwapped(scaled, mean(scaled))
    })

    it('of a PNG, whose transparency is preserved', async () => {
      const image = pngWithProfile(swappingProfile, 6, (x) => [20, 200, 30, x < 20 ? 0 : 255])
      const scaled = valueOfResult(await scale(image, small))
      expectSwapped(scaled, meanColour(decoded(scaled), [0.7, 0.1, 0.9, 0.9]))
      expect(meanColour(decoded(scaled), [0.1, 0.1, 0.3, 0.9])[3]).to.equal(0)
    })

    it('of a PNG whose pixels are grey', async () => {
      const image = pngWithProfile(swappingProfile, 2, () => [90, 90, 90])
      const scaled = valueOfResult(await scale(image, small))
      // A profile for RGB requires an image in RGB.
      if (hasProfile(scaled, swappingProfile)) expect(scaled[25]).to.equal(2)
      expect(colourDistance(mean(scaled), [90, 90, 90, 255])).to.be.below(14)
    })

    it('of a WebP', async () => {
      const image = webpWithProfile(40, 32, green, swappingProfile)
      const [scaled, same] = [
        valueOfResult(await scale(image, small)),
        valueOfResult(await scale(webpWithProfile(40, 32, green, swappingProfile.slice(0, 40)), small)),
      ]
      expect(Buffer.from(scaled).equals(Buffer.from(same))).to.equal(false)
      expect(infoOf(scaled)).to.deep.equal({ mimetype: 'image/webp', ...small })
    })

    it('of a profile that needs more than one segment of a JPEG', async () => {
      const large = Buffer.concat([swappingProfile, Buffer.alloc(100_000)])
      large.writeUInt32BE(large.length, 0)
      const image = pngWithProfile(large, 2, () => [20, 200, 30])
      const scaled = valueOfResult(await scale(image, small))
      expect(colourDistance(mean(scaled), hasProfile(scaled, large) ? green : swapped)).to.be.below(14)
    })

    it('a broken profile, and one for another colour space, are ignored', async () => {
      for (const profile of [new Uint8Array(200), swappingProfile.slice(0, 150), darkeningProfile]) {
        const scaled = valueOfResult(
          await scale(jpegWithProfile(jpegOf(plain(40, 32, green)), profile), small),
        )
        expect(colourDistance(mean(scaled), green)).to.be.below(6)
        expect(hasProfile(scaled, profile)).to.equal(false)
      }
    })
  })

  describe('A JPEG in CMYK is scaled in its colours if the adapter declares it; otherwise ImageUnreadable is returned.', () => {
    it('of four colours', async () => {
      const result = await scale(cmykJpeg, { width: 24, height: 16 })
      if (!imaging().cmyk) return expectUnreadable(result)
      const shown = decoded(valueOfResult(result))
      for (const [at, corner] of (
        [
          [0.05, 0.05, 0.4, 0.4],
          [0.6, 0.05, 0.95, 0.4],
          [0.05, 0.6, 0.4, 0.95],
          [0.6, 0.6, 0.95, 0.95],
        ] as const
      ).entries())
        expect(
          colourDistance(meanColour(shown, corner), quarterColours[at] ?? red),
          `quarter ${at}`,
        ).to.be.below(70)
    })
  })

  describe('A scaled image contains pixels and at most a colour profile: no location, time or camera.', () => {
    const traces = ['Exif', 'EXIF', 'eXIf', 'http', 'GPS', 'tEXt', 'MM\0*', 'II*\0', 'a comment']
    const block = exifBlock(6, true)
    const text = Buffer.from('Comment\0a comment at GPS 48.2, http://ns.adobe.com/xap')
    const images: Readonly<Record<string, Uint8Array>> = {
      JPEG: jpegWithProfile(withExif(jpegOf(quarters(60, 40)), block), swappingProfile),
      PNG: pngOf({
        width: 60,
        height: 40,
        depth: 8,
        colourType: 2,
        rows: pngRows(60, 40, (x) => [x, 0, 0]),
        before: [
          ['iCCP', pngProfile(swappingProfile)],
          ['tEXt', text],
          ['eXIf', block],
        ],
      }),
      WebP: webpWithExif(60, 40, block),
      GIF: Buffer.concat([
        gifOf(60, 40, [1]).subarray(0, 25),
        Uint8Array.of(0x21, 0xfe, text.length),
        text,
        Uint8Array.of(0),
        gifOf(60, 40, [1]).subarray(25),
      ]),
    }
    for (const [name, image] of Object.entries(images))
      it(`of a ${name}`, async () => {
        const scaled = Buffer.from(valueOfResult(await scale(image, { width: 20, height: 30 })))
        for (const trace of traces) expect(scaled.includes(trace, 0, 'latin1'), trace).to.equal(false)
      })
  })
}
