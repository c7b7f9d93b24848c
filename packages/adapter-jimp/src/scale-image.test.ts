/**
 * The pixels of scaled images.
 */
import { imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { readImageHeader } from '@publishing-service/image-header'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { bmpOf } from './image-samples.test-data.js'
import { pictureCodec, resized } from './picture-codec.js'
import { scaleImage } from './scale-image.js'

type Colour = imagingFixtures.Colour

const {
  colourDistance,
  decoded,
  jpegOf,
  meanColour,
  palettePng,
  photograph: readPhotograph,
  pixels,
} = imagingFixtures

const photograph = async (file: string): Promise<Buffer> => Buffer.from(await readPhotograph(file))

const scaled = async (picture: Uint8Array, width: number, height: number): Promise<Buffer> => {
  const header = readImageHeader(picture)
  if (E.isLeft(header)) throw new Error(header.left)
  const outcome = await scaleImage({
    data: picture,
    header: header.right,
    rendering: { size: { width, height }, region: null, format: null, quality: 'high' },
    format: header.right.mimetype,
    mebibytes: 512,
  })
  if (outcome === null) throw new Error('the image was not scaled')
  return outcome
}

const coloursOf = ({ data }: { readonly data: Uint8Array }): readonly Colour[] =>
  Array.from({ length: data.length / 4 }, (_, at) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at * 4, at * 4 + 4)
    return [red, green, blue, alpha]
  })

describe('a scaled image', () => {
  it('averages a fine pattern instead of sampling it', async () => {
    const board = pixels(300, 300, (x, y) => ((x + y) % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]))
    const small = decoded(await scaled(jpegOf(board, 100), 97, 89))
    for (let at = 0; at < small.data.length; at += 4) expect(small.data[at]).to.be.within(108, 148)
  })

  it('has only the channels that its pixels need, as a PNG', async () => {
    const colourType = async (picture: Uint8Array): Promise<number> =>
      (await scaled(picture, 10, 10)).readUInt8(25)
    expect(await colourType(await photograph('coffee.png'))).to.equal(2)
    expect(await colourType(palettePng(40))).to.equal(6)
    expect(await colourType(imagingFixtures.edgeCases['a grey PNG']?.data ?? palettePng(4))).to.equal(0)
  })

  it('has the content of the original BMP, for each bit depth and row order', async () => {
    for (const depth of [1, 8, 24, 32])
      for (const height of [20, -20]) {
        const { decode } = await pictureCodec('image/bmp')
        const size = { width: 11, height: 10 }
        const shown = await decode(await scaled(bmpOf({ depth, height }), 11, 10), size, 64)
        if (shown === undefined) throw new Error('no picture')
        const dark = meanColour(shown, [0, 0, 0.4, 1])
        const bright = meanColour(shown, [0.6, 0, 1, 1])
        expect(bright[0] - dark[0], `${depth} bits, ${height} rows`).to.be.above(100)
        expect(
          colourDistance(meanColour(shown, [0, 0, 1, 0.4]), meanColour(shown, [0, 0.6, 1, 1])),
        ).to.be.below(3)
      }
  })

  it('of one colour has the same colour, at any size', () => {
    const side = fc.integer({ min: 1, max: 90 })
    const level = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(side, side, side, side, level, (width, height, newWidth, newHeight, grey) => {
        const plain = pixels(width, height, () => [grey, 255 - grey, 7, 255])
        const result = resized(
          { width, height, data: Buffer.from(plain.data) },
          { width: newWidth, height: newHeight },
        )
        expect(result).to.include({ width: newWidth, height: newHeight })
        expect(result.data.length).to.equal(newWidth * newHeight * 4)
        for (const colour of coloursOf(result))
          expect(colourDistance(colour, [grey, 255 - grey, 7, 255])).to.be.below(2)
      }),
    )
  })
})
