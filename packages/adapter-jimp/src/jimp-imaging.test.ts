/**
 * The adapter keeps the port, and the limits that it adds answer in words that a client can read.
 */
import { imagingConformance, imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { jimpImaging } from './jimp-imaging.js'

const { boastfulPng, bodyOf, jpegOf, palettePng, quarters } = imagingFixtures

imagingConformance({
  name: 'adapter-jimp',
  open: jimpImaging,
})

describe('imaging with Jimp', () => {
  let imaging: ReturnType<typeof jimpImaging> | undefined
  afterEach(() => imaging?.close())

  const refusal = async (mebibytes: number, data: Uint8Array): Promise<string> => {
    imaging = jimpImaging({ parallel: 1, job: { milliseconds: 10_000, mebibytes } })
    const answer = await imaging.scale(bodyOf(data), { width: 10, height: 10 })()
    return E.isLeft(answer) ? `${answer.left._tag}: ${answer.left.reason}` : 'scaled'
  }

  it('names the limit of memory before it decodes', async () => {
    expect(await refusal(70, jpegOf(quarters(1200, 800)))).to.match(
      /^ImageUnreadable: Scaling the image would take \d+ MB of memory; the limit for its \d+ bytes is 70 MB\.$/,
    )
    expect(await refusal(70, palettePng(40))).to.equal('scaled')
  })

  it('takes data that announce more than they hold for broken', async () => {
    expect(await refusal(1000, boastfulPng(2000, 1251))).to.equal(
      'ImageUnreadable: The image is broken or cut short: its pixels cannot be read.',
    )
  })
})
