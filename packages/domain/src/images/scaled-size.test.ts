import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import {
  boxSides,
  maxBoxSide,
  roundedBox,
  scaledSize,
  surplusDerivatives,
  defaultImageLimits,
  memoryAllowance,
  tooManyBytes,
  tooManyPixels,
  tookTooLong,
  tookTooMuch,
} from './scaled-size.js'

// The size of a scaled image: within its box, in its proportions, never enlarged (docs/behaviour/files.md#scaling).

const side = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 }))
const size = fc.record({ width: side, height: side })
const limit = fc.option(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: maxBoxSide })))
const box = fc.record({ w: limit, h: limit })

describe('scaledSize', () => {
  it('is null exactly if the image already fits', () => {
    fc.assert(
      fc.property(size, box, (original, { w, h }) => {
        const fits = (w === null || original.width <= w) && (h === null || original.height <= h)
        expect(scaledSize(original, { w, h }) === null).to.equal(fits)
      }),
      { numRuns: 1000 },
    )
  })

  it('fits the box, is nowhere larger than the image, at least one pixel, and touches the box', () => {
    fc.assert(
      fc.property(size, box, (original, { w, h }) => {
        const scaled = scaledSize(original, { w, h })
        if (scaled === null) return
        expect(scaled.width).to.be.within(1, Math.min(original.width, w ?? original.width))
        expect(scaled.height).to.be.within(1, Math.min(original.height, h ?? original.height))
        expect(scaled.width === w || scaled.height === h).to.equal(true)
        expect(Number.isInteger(scaled.width) && Number.isInteger(scaled.height)).to.equal(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps the proportions within a pixel', () => {
    fc.assert(
      fc.property(size, box, ({ width, height }, { w, h }) => {
        const scaled = scaledSize({ width, height }, { w, h })
        if (scaled === null) return
        const ratio = Math.min((w ?? width) / width, (h ?? height) / height)
        expect(Math.abs(scaled.width - width * ratio)).to.be.below(1)
        expect(Math.abs(scaled.height - height * ratio)).to.be.below(1)
      }),
      { numRuns: 1000 },
    )
  })

  it('scales by the side with the smaller ratio', () => {
    expect(scaledSize({ width: 800, height: 600 }, { w: 400, h: null })).to.deep.equal({
      width: 400,
      height: 300,
    })
    expect(scaledSize({ width: 800, height: 600 }, { w: null, h: 300 })).to.deep.equal({
      width: 400,
      height: 300,
    })
    expect(scaledSize({ width: 800, height: 600 }, { w: 400, h: 100 })).to.deep.equal({
      width: 133,
      height: 100,
    })
    expect(scaledSize({ width: 100_000, height: 10 }, { w: 100, h: null })).to.deep.equal({
      width: 100,
      height: 1,
    })
  })
})

describe('roundedBox', () => {
  it('rounds each side up to the next of the list, except a side without a limit', () => {
    expect(roundedBox({ w: 1, h: null })).to.deep.equal({ w: 40, h: null })
    expect(roundedBox({ w: 40, h: 41 })).to.deep.equal({ w: 40, h: 80 })
    expect(roundedBox({ w: null, h: 7681 })).to.deep.equal({ w: null, h: maxBoxSide })
    fc.assert(
      fc.property(box, ({ w, h }) => {
        const rounded = roundedBox({ w, h })
        for (const [asked, given] of [
          [w, rounded.w],
          [h, rounded.h],
        ] as const) {
          if (asked === null) expect(given).to.equal(null)
          else expect(boxSides.find((each) => each >= asked)).to.equal(given)
        }
      }),
    )
  })

  it('results in at most two sizes of an image for each side of the list', () => {
    fc.assert(
      fc.property(size, fc.array(box, { minLength: 200, maxLength: 400 }), (original, boxes) => {
        const sizes = new Set(
          boxes
            .map((each) => JSON.stringify(scaledSize(original, roundedBox(each))))
            .filter((each) => each !== 'null'),
        )
        expect(sizes.size).to.be.at.most(2 * boxSides.length)
      }),
    )
  })
})

// Which derivatives have to go.

describe('derivatives', () => {
  it('over the bound are those that were used least recently', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { maxLength: 30 }),
        fc.integer({ min: 0, max: 20 }),
        (uses, most) => {
          const kept = uses.map((lastUsed, at) => ({ key: String(at), lastUsed }))
          const surplus = surplusDerivatives(kept, most)
          expect(surplus).to.have.lengthOf(Math.max(0, kept.length - most))
          const left = kept.filter((each) => !surplus.includes(each))
          for (const gone of surplus)
            for (const each of left) expect(gone.lastUsed).to.be.at.most(each.lastUsed)
        },
      ),
    )
  })
})

// Which images are rejected before anything is decoded, and the messages.

describe('the limits of scaling', () => {
  it('name the pixels of the image and how many there may be', () => {
    const limits = { ...defaultImageLimits, pixels: 2_500_000 }
    expect(tooManyPixels({ width: 2000, height: 1250 }, limits)).to.equal(null)
    expect(tooManyPixels({ width: 2000, height: 1251 }, limits)).to.equal(
      'The image has 2000 × 1251 pixels; the limit is 2.5 megapixels.',
    )
  })

  it('allow a job more memory the more data it has, up to the configured limit', () => {
    const limits = { milliseconds: 1, mebibytes: 1024 }
    expect(
      [0, 2 ** 20, 4 * 2 ** 20, 40 * 2 ** 20].map((bytes) => memoryAllowance(limits, bytes)),
    ).to.deep.equal([192, 320, 704, 1024])
    expect(memoryAllowance({ mebibytes: 64 }, 0)).to.equal(64)
  })

  it('leave data unread that would fill the memory by themselves', () => {
    const limits = { milliseconds: 1, mebibytes: 300 }
    expect(tooManyBytes(300 * 2 ** 20, limits)).to.equal(null)
    expect(tooManyBytes(300 * 2 ** 20 + 1, limits)).to.equal(
      'Scaling the image would take 301 MB of memory; the limit for its 314572801 bytes is 300 MB.',
    )
  })

  it('state the time and the memory that a job exceeded', () => {
    expect(tookTooLong({ milliseconds: 1500, mebibytes: 1024 })).to.equal(
      'Scaling the image took longer than 1.5 seconds.',
    )
    expect(tookTooMuch(192)).to.equal('Scaling the image took more than 192 MB of memory.')
  })
})
