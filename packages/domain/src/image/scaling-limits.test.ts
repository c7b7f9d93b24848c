/** Which images are rejected before anything is decoded, and the messages. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  defaultImageLimits,
  memoryAllowance,
  tooManyBytes,
  tooManyPixels,
  tookTooLong,
  tookTooMuch,
} from './scaling-limits.js'

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
