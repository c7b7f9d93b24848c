import { imagingConformance, imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import sharp from 'sharp'
import { sharpImaging } from './sharp-imaging.js'

imagingConformance({ name: 'adapter-sharp', open: sharpImaging })

const { bodyOf, colourDistance, meanColour, photograph, pngOf, pngRows } = imagingFixtures

/** The suite has no decoder of AVIF. */
describe('an AVIF', () => {
  const imaging = sharpImaging({ parallel: 1, job: { milliseconds: 30_000, mebibytes: 512 } })
  after(() => imaging.close())

  const pixelsOf = async (data: Uint8Array) => {
    const { data: pixels, info } = await sharp(data).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, data: pixels }
  }
  const avifOf = async (data: Uint8Array, width: number, height: number) => {
    const rendering = {
      size: { width, height },
      region: null,
      format: 'image/avif',
      quality: 'high',
    } as const
    const made = await imaging.scale(bodyOf(data), rendering)()
    if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
    return pixelsOf(made.right)
  }

  it('has the size and the colours of its original', async () => {
    const original = await photograph('coffee.png')
    const avif = await avifOf(original, 150, 100)
    expect(avif).to.include({ width: 150, height: 100 })
    const [mean, expected] = [avif, await pixelsOf(original)].map((each) => meanColour(each, [0, 0, 1, 1]))
    expect(mean && expected && colourDistance(mean, expected)).to.be.below(4)
  })

  it('has the transparency of its original', async () => {
    const rows = pngRows(40, 32, (x) => [220, 20, 30, x < 20 ? 0 : 255])
    const avif = await avifOf(pngOf({ width: 40, height: 32, depth: 8, colourType: 6, rows }), 20, 16)
    expect(meanColour(avif, [0.05, 0.1, 0.4, 0.9])[3]).to.be.below(3)
    expect(colourDistance(meanColour(avif, [0.6, 0.1, 0.95, 0.9]), [220, 20, 30, 255])).to.be.below(14)
  })
})
