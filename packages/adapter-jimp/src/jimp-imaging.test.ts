/**
 * The conformance of the adapter, and the messages of the limits that it adds.
 */
import { imagingConformance, imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { jimpImaging } from './jimp-imaging.js'

const { pngWithFalseSize, bodyOf, jpegOf, palettePng, quarters } = imagingFixtures

imagingConformance({
  name: 'adapter-jimp',
  open: jimpImaging,
})

describe('imaging with Jimp', () => {
  let imaging: ReturnType<typeof jimpImaging> | undefined
  afterEach(() => imaging?.close())

  const outcomeOf = async (mebibytes: number, data: Uint8Array): Promise<string> => {
    imaging = jimpImaging({ parallel: 1, job: { milliseconds: 10_000, mebibytes } })
    const result = await imaging.scale(bodyOf(data), { width: 10, height: 10 })()
    return E.isLeft(result) ? `${result.left._tag}: ${result.left.reason}` : 'scaled'
  }

  it('reports the memory limit before it decodes', async () => {
    expect(await outcomeOf(70, jpegOf(quarters(1200, 800)))).to.match(
      /^ImageUnreadable: Scaling the image would take \d+ MB of memory; the limit for its \d+ bytes is 70 MB\.$/,
    )
    expect(await outcomeOf(70, palettePng(40))).to.equal('scaled')
  })

  it('rejects data that is too short for the size in its header', async () => {
    expect(await outcomeOf(1000, pngWithFalseSize(2000, 1251))).to.equal(
      'ImageUnreadable: The image is broken or cut short: its pixels cannot be read.',
    )
  })
})
