/** Which images are refused before anything is decoded, and in which words. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { pngHeader } from './image-bytes.test-data.js'
import {
  brokenPixels,
  defaultImageLimits,
  memoryAllowance,
  scalableHeader,
  tooManyPixels,
  tookTooLong,
} from './scaling-limits.js'

describe('the limits of scaling', () => {
  it('name the pixels of the image and how many there may be', () => {
    const limits = { ...defaultImageLimits, pixels: 2_500_000 }
    expect(tooManyPixels({ width: 2000, height: 1250 }, limits)).to.equal(null)
    expect(tooManyPixels({ width: 2000, height: 1251 }, limits)).to.equal(
      'The image has 2000 × 1251 pixels; the limit is 2.5 megapixels.',
    )
  })

  it('give a job more memory the more data it has, up to the configured limit', () => {
    const limits = { milliseconds: 1, mebibytes: 1024 }
    expect(
      [0, 2 ** 20, 4 * 2 ** 20, 40 * 2 ** 20].map((bytes) => memoryAllowance(limits, bytes)),
    ).to.deep.equal([192, 320, 704, 1024])
    expect(memoryAllowance({ milliseconds: 1, mebibytes: 64 }, 0)).to.equal(64)
  })

  it('let in what can hold its pixels and has the memory that it takes, and name what hinders others', () => {
    const limits = { milliseconds: 1500, mebibytes: 1024 }
    const refusal = (data: Uint8Array, needed: number): unknown => scalableHeader(data, limits, () => needed)
    expect(refusal(pngHeader(3, 2), 192)).to.have.nested.property('right.width', 3)
    expect(refusal(pngHeader(3, 2), 193)).to.deep.equal(
      E.left('Scaling the image would take 193 MB of memory; the limit for its 33 bytes is 192 MB.'),
    )
    expect(refusal(pngHeader(300, 200), 1)).to.deep.equal(E.left(brokenPixels))
    expect(refusal(pngHeader(0, 2), 1)).to.have.property('_tag', 'Left')
    expect(tookTooLong(limits)).to.equal('Scaling the image took longer than 1.5 seconds.')
  })
})
