/** The part of the imaging suite about damaged and malicious data. */
import { E } from '@publishing-service/domain/fp'
import type { JobLimits } from '@publishing-service/domain/images'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { sha256 } from './blob-bodies.js'
import { testSentence } from './contract.js'
import { sampleFrom, sampleTitle } from './extent.js'
import { hostileImages } from './hostile-images.js'
import {
  edgeCases,
  bodyOf,
  jpegWithFalseSize,
  pngWithFalseSize,
  decoded,
  exifBlock,
  gifOf,
  joined,
  jpegOf,
  notImages,
  palettePng,
  photograph,
  photographs,
  pngOf,
  progressiveJpeg,
  quarters,
  seededBytes,
  translucentWebp,
  withExif,
} from './imaging-fixtures.js'
import {
  expectUnreadable,
  infoOf,
  scaledTo,
  valueOfResult,
  tagOf,
  type ScalingResult,
  type ImagingSuite,
} from './imaging-suite.js'

type WithoutEnd = { readonly name: string; readonly data: Uint8Array; readonly whole: Uint8Array }

/** Images that lack only their end, with the whole ones. */
const withoutEnd = async (): Promise<readonly WithoutEnd[]> => {
  const noMarker = await photograph('no-end-marker.jpg')
  const [jpegEnd, checksum] = [Uint8Array.of(0xff, 0xd9), Uint8Array.of(0xae, 0x42, 0x60, 0x82)]
  const cutPng = await photograph('cut-four-bytes-early.png')
  const cut = (name: string, whole: Uint8Array, end: number): readonly WithoutEnd[] => [
    { name: `${name}, cut`, data: whole.subarray(0, -end), whole },
    { name: `${name} with zeros`, data: joined(whole.subarray(0, -end), new Uint8Array(3000)), whole },
  ]
  return [
    { name: 'no-end-marker.jpg', data: noMarker, whole: joined(noMarker, jpegEnd) },
    {
      name: 'zeros-for-end-marker.jpg',
      data: await photograph('zeros-for-end-marker.jpg'),
      whole: joined(noMarker, jpegEnd),
    },
    { name: 'cut-four-bytes-early.png', data: cutPng, whole: joined(cutPng, checksum) },
    ...cut('a photograph', await photograph('rocket.jpg'), 2),
    ...cut('a progressive JPEG', progressiveJpeg, 2),
    ...cut('a PNG', palettePng(40), 12),
  ]
}

/** How many hostile images each run tries: some take seconds. */
const hostileSample = 12

/** Large enough to keep any adapter busy for a moment, and small enough to be accepted. */
const manyPixels = {
  width: 1500,
  height: 1500,
  depth: 8,
  colourType: 2,
  rows: new Uint8Array(1500 * 4501),
} as const

export const brokenImages = ({ open, deviations, scale }: ImagingSuite): void => {
  describe('Data that is damaged, truncated or of an unknown format returns ImageUnreadable, in bounded time and memory.', () => {
    const small = { width: 10, height: 10 }
    for (const [name, data] of Object.entries(notImages))
      it(`${name} is not scaled`, async () => {
        expectUnreadable(await scale(data, small))
      })

    it('a truncated header is not scaled', async () => {
      for (const image of [jpegOf(quarters(96, 64)), palettePng(40)])
        for (const length of [12, 17, 20]) {
          expectUnreadable(await scale(image.subarray(0, length), small))
        }
    })

    for (const { file, width, height } of photographs)
      testSentence(`${file}, truncated, is not scaled`, deviations.scalesDamagedPixels, async () => {
        const whole = await photograph(file)
        for (const part of [0.3, 0.99])
          expectUnreadable(
            await scale(whole.subarray(0, Math.floor(whole.length * part)), {
              width: width >> 1,
              height: height >> 1,
            }),
          )
      })

    testSentence('a PNG with damaged pixels is not scaled', deviations.scalesDamagedPixels, async () => {
      const damaged = new Uint8Array(await photograph('chelsea.png'))
      damaged.set(seededBytes(100, 9), 50_000)
      expectUnreadable(await scale(damaged, { width: 100, height: 67 }))
    })

    testSentence(
      'a PNG without some of its rows is not filled with other data',
      deviations.scalesDamagedPixels,
      async () => {
        for (const rows of [0, 1, 3, 39]) {
          const image = pngOf({
            width: 60,
            height: 40,
            depth: 8,
            colourType: 2,
            rows: new Uint8Array(rows * 181),
          })
          expectUnreadable(await scale(image, small))
        }
      },
    )

    testSentence(
      'an image without end that lacks pixels is not scaled',
      deviations.scalesDamagedPixels,
      async () => {
        const rocket = await photograph('rocket.jpg')
        const zeros = Uint8Array.from(rocket).fill(0, rocket.length * 0.9)
        const lastScan = Buffer.from(progressiveJpeg).lastIndexOf(Uint8Array.of(0xff, 0xda))
        expectUnreadable(await scale(zeros, small))
        expectUnreadable(await scale(progressiveJpeg.subarray(0, lastScan), small))
        for (const { whole } of await withoutEnd())
          expectUnreadable(await scale(whole.subarray(0, whole.length * 0.8), small))
      },
    )

    it('a image without width or height is not scaled', async () => {
      for (const data of [pngWithFalseSize(0, 10), pngWithFalseSize(10, 0), jpegWithFalseSize(0, 10)]) {
        expectUnreadable(await scale(data, small))
      }
    })

    describe(`a hostile image${sampleTitle(hostileSample, hostileImages.length)}`, () => {
      for (const { name, data, expected } of sampleFrom(hostileImages, hostileSample))
        it(`${name}: ${expected}`, async () => {
          const image = data()
          const memory = process.memoryUsage.rss()
          const result = await scale(image, { width: 3, height: 3 })
          if (expected === 'scaled') valueOfResult(result)
          else if (expected === 'rejected' || E.isLeft(result)) expectUnreadable(result)
          expect(JSON.stringify(result)).to.not.contain('took longer')
          if (E.isRight(result)) expect(Buffer.from(result.right).includes('<script')).to.equal(false)
          expect(process.memoryUsage.rss() - memory).to.be.below(200 << 20)
        })
    })

    testSentence('data after an image is ignored', deviations.rejectsTrailingData, async () => {
      for (const file of ['rocket.jpg', 'chelsea.png']) {
        const image = joined(await photograph(file), seededBytes(5000, 8))
        expect(decoded(valueOfResult(await scale(image, { width: 50, height: 40 })))).to.include({
          width: 50,
          height: 40,
        })
      }
    })

    it('an image with changed bytes is scaled or unreadable', async () => {
      const originals = [
        withExif(jpegOf(quarters(24, 16)), exifBlock(6, true)),
        palettePng(12),
        edgeCases['an interlaced PNG']?.data ?? palettePng(12),
        gifOf(6, 4, [1, 2]),
        progressiveJpeg,
        translucentWebp,
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
            expect(['Right', 'ImageUnreadable']).to.include(tagOf(scaled))
            if (E.isRight(scaled)) expect(infoOf(data).mimetype).to.equal(infoOf(scaled.right).mimetype)
          },
        ),
        { numRuns: 40 },
      )
    })
  })

  describe('An image that has all pixels is scaled, even if its end marker is missing or replaced by zeros.', () => {
    it('with the same result as the whole image', async () => {
      const size = { width: 12, height: 8 }
      const wholes = new Map<string, Uint8Array>()
      for (const { name, data, whole } of await withoutEnd()) {
        const digest = sha256(whole)
        const expected = wholes.get(digest) ?? valueOfResult(await scale(whole, size))
        wholes.set(digest, expected)
        expect(await scale(data, size), name).to.deep.equal(E.right(expected))
      }
    })
  })

  describe('A job that would exceed its memory limit, or exceeds its time limit, returns ImageUnreadable and affects no other.', () => {
    const alone = async (job: JobLimits, data: Uint8Array): Promise<ScalingResult<Uint8Array>> => {
      const imaging = open({ parallel: 1, job })
      try {
        const [result, next] = await Promise.all([
          imaging.scale(bodyOf(new Uint8Array(data)), scaledTo({ width: 100, height: 100 }))(),
          imaging.scale(bodyOf(jpegOf(quarters(8, 8))), scaledTo({ width: 4, height: 4 }))(),
        ])
        expect(['Right', 'ImageUnreadable']).to.include(tagOf(next))
        return result
      } finally {
        await imaging.close()
      }
    }

    it('the reason states the memory that the job would need', async () => {
      const result = await alone(
        { milliseconds: 10_000, mebibytes: 1 },
        await photograph('hubble_deep_field.jpg'),
      )
      expectUnreadable(result)
      expect(JSON.stringify(result)).to.contain('MB of memory')
    })

    it('the reason states the time that the job took', async () => {
      const result = await alone({ milliseconds: 1, mebibytes: 4096 }, pngOf(manyPixels))
      expectUnreadable(result)
      expect(JSON.stringify(result)).to.contain('took longer than')
    })
  })
}
