/** The imaging port's sentences on data that is broken or made to do harm, as tests. */
import { E, type JobLimits } from '@publishing-service/domain'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { performance } from 'node:perf_hooks'
import { testPromise } from './contract.js'
import {
  awkward,
  bodyOf,
  boastful,
  boastfulJpeg,
  boastfulPng,
  decoded,
  exifBlock,
  gifOf,
  joined,
  jpegOf,
  noPicture,
  palettePng,
  photograph,
  photographs,
  pngOf,
  progressiveJpeg,
  quarters,
  rubbish,
  clearWebp,
  withExif,
} from './imaging-fixtures.js'
import { expectUnreadable, infoOf, right, tag, type Answer, type ImagingSuite } from './imaging-suite.js'

/** Large enough to keep any adapter busy for a moment, and small enough to be let in. */
const manyPixels = {
  width: 3000,
  height: 3000,
  depth: 8,
  colourType: 2,
  rows: new Uint8Array(3000 * 9001),
} as const

export const brokenImages = ({ open, deviations, scale }: ImagingSuite): void => {
  describe('Data that is damaged, truncated or of an unknown format returns ImageUnreadable, in bounded time and memory.', () => {
    const small = { width: 10, height: 10 }
    for (const [name, data] of Object.entries(noPicture))
      it(`${name} is not scaled`, async () => {
        expectUnreadable(await scale(data, small))
      })

    it('a header cut short is not scaled', async () => {
      for (const picture of [jpegOf(quarters(96, 64)), palettePng(40)])
        for (const length of [12, 17, 20]) {
          expectUnreadable(await scale(picture.subarray(0, length), small))
        }
    })

    for (const { file, width, height } of photographs)
      testPromise(`${file} cut short is not scaled`, deviations.scalesCutPixels, async () => {
        const whole = await photograph(file)
        for (const part of [0.3, 0.7, 0.99])
          expectUnreadable(
            await scale(whole.subarray(0, Math.floor(whole.length * part)), {
              width: width >> 1,
              height: height >> 1,
            }),
          )
      })

    testPromise('a PNG with spoilt pixels is not scaled', deviations.scalesCutPixels, async () => {
      const spoilt = new Uint8Array(await photograph('chelsea.png'))
      spoilt.set(rubbish(100, 9), 50_000)
      expectUnreadable(await scale(spoilt, { width: 100, height: 67 }))
    })

    testPromise(
      'a PNG that lacks rows is not filled up from elsewhere',
      deviations.scalesCutPixels,
      async () => {
        for (const rows of [0, 1, 3, 39]) {
          const picture = pngOf({
            width: 60,
            height: 40,
            depth: 8,
            colourType: 2,
            rows: new Uint8Array(rows * 181),
          })
          expectUnreadable(await scale(picture, small))
        }
      },
    )

    for (const [name, data] of Object.entries(boastful))
      it(`${name} is not scaled, and takes neither time nor memory`, async () => {
        const [start, memory] = [performance.now(), process.memoryUsage.rss()]
        expectUnreadable(await scale(data, small))
        expect(performance.now() - start).to.be.below(5000)
        expect(process.memoryUsage.rss() - memory).to.be.below(200 << 20)
      })

    it('a picture without width or height is not scaled', async () => {
      for (const data of [boastfulPng(0, 10), boastfulPng(10, 0), boastfulJpeg(0, 10)]) {
        expectUnreadable(await scale(data, small))
      }
    })

    testPromise(
      'trailing rubbish behind a picture does no harm',
      deviations.refusesTrailingRubbish,
      async () => {
        for (const { file } of photographs) {
          const picture = joined(await photograph(file), rubbish(5000, 8))
          expect(decoded(right(await scale(picture, { width: 50, height: 40 })))).to.include({
            width: 50,
            height: 40,
          })
        }
      },
    )

    it('whatever is done to a picture’s bytes, it is scaled or unreadable', async () => {
      const originals = [
        withExif(jpegOf(quarters(24, 16)), exifBlock(6, true)),
        palettePng(12),
        awkward['an interlaced PNG']?.data ?? palettePng(12),
        gifOf(6, 4, [1, 2]),
        progressiveJpeg,
        clearWebp,
      ]
      const change = fc.record({ at: fc.nat(2000), byte: fc.nat(255) })
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...originals),
          fc.array(change, { minLength: 1, maxLength: 6 }),
          async (original, changes) => {
            const data = Uint8Array.from(original)
            for (const { at, byte } of changes) data[at % data.length] = byte
            const scaled = await scale(data, { width: 5, height: 5 })
            expect(['Right', 'ImageUnreadable']).to.include(tag(scaled))
            if (E.isRight(scaled)) expect(infoOf(data).mimetype).to.equal(infoOf(scaled.right).mimetype)
          },
        ),
        { numRuns: 150 },
      )
    })
  })

  describe('A job that would exceed its memory limit, or exceeds its time limit, returns ImageUnreadable and affects no other.', () => {
    const alone = async (job: JobLimits, data: Uint8Array): Promise<Answer<Uint8Array>> => {
      const imaging = open({ parallel: 1, job })
      try {
        const [answer, next] = await Promise.all([
          imaging.scale(bodyOf(new Uint8Array(data)), { width: 100, height: 100 })(),
          imaging.scale(bodyOf(jpegOf(quarters(8, 8))), { width: 4, height: 4 })(),
        ])
        expect(['Right', 'ImageUnreadable']).to.include(tag(next))
        return answer
      } finally {
        await imaging.close()
      }
    }

    it('names the memory that the job would take', async () => {
      const answer = await alone(
        { milliseconds: 10_000, mebibytes: 1 },
        await photograph('hubble_deep_field.jpg'),
      )
      expectUnreadable(answer)
      expect(JSON.stringify(answer)).to.contain('MB of memory')
    })

    it('names the time that the job took', async () => {
      const answer = await alone({ milliseconds: 1, mebibytes: 4096 }, pngOf(manyPixels))
      expectUnreadable(answer)
      expect(JSON.stringify(answer)).to.contain('took longer than')
    })
  })
}
