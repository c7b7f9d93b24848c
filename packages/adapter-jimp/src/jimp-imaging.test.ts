/**
 * The adapter keeps the port, and the limits that it adds answer in words that a client can read.
 */
import { imagingConformance, imagingFixtures } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain'
import type { Imaging } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import type { JimpImagingOptions } from './imaging-limits.js'
import { jimpImaging } from './jimp-imaging.js'

const { boastfulPng, jpegOf, palettePng, quarters } = imagingFixtures

imagingConformance({
  name: 'adapter-jimp',
  open: async () => {
    const imaging = jimpImaging({ workers: 1, queue: 3, jobMemoryMb: 1024, jobTimeoutMs: 10_000 })
    return { imaging, capacity: 4, dispose: () => imaging.close() }
  },
})

describe('imaging with Jimp', () => {
  let imaging: Imaging | undefined
  afterEach(() => imaging?.close())

  const open = (options: JimpImagingOptions): Imaging => (imaging = jimpImaging({ workers: 1, ...options }))

  const refusal = async (
    answer: Promise<E.Either<{ _tag: string; reason: string }, unknown>>,
  ): Promise<string> => {
    const answered = await answer
    return E.isLeft(answered) ? `${answered.left._tag}: ${answered.left.reason}` : 'answered'
  }

  it('names the limit of pixels, whether it probes or scales', async () => {
    const { probe, scale } = open({ maxPixels: 2_500_000 })
    const picture = boastfulPng(2000, 1251)
    const reason = 'ImageUnreadable: The image has 2000 × 1251 pixels; the limit is 2.5 megapixels.'
    expect(await refusal(probe(picture)())).to.equal(reason)
    expect(await refusal(scale(picture, { width: 2, height: 1 })())).to.equal(reason)
    expect(await refusal(probe(boastfulPng(2000, 1250))())).to.equal('answered')
  })

  it('names the limit of memory before it decodes', async () => {
    const { scale } = open({ jobMemoryMb: 70 })
    const picture = jpegOf(quarters(1200, 800))
    expect(await refusal(scale(picture, { width: 600, height: 400 })())).to.match(
      /^ImageUnreadable: Scaling the image would take \d+ MB of memory; the limit is 70 MB\.$/,
    )
    expect(await refusal(scale(palettePng(40), { width: 10, height: 10 })())).to.equal('answered')
  })

  it('takes a size that is none for a defect', async () => {
    const { scale } = open({})
    for (const size of [
      { width: 0, height: 1 },
      { width: 1.5, height: 1 },
      { width: 1, height: NaN },
    ])
      expect(await scale(palettePng(8), size)().catch((error: unknown) => error)).to.be.instanceOf(RangeError)
  })

  it('answers PortFailure once it is closed, to those who waited too', async () => {
    const { scale, close } = open({ queue: 5 })
    const size = { width: 10, height: 10 }
    const waiting = [1, 2, 3].map(() => refusal(scale(palettePng(40), size)()))
    await close()
    for (const answer of await Promise.all(waiting)) expect(answer).to.match(/^PortFailure/)
    expect(await refusal(scale(palettePng(40), size)())).to.equal('PortFailure: closed')
    await close()
  })
})
