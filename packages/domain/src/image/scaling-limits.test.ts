/** Which images are refused before anything is decoded, and in which words. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { bytesOf, extendedWebp, jpegHeader, pngHeader } from './image-bytes.test-data.js'
import {
  brokenPixels,
  defaultImageLimits,
  memoryAllowance,
  scalableHeader,
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

  it('give a job more memory the more data it has, up to the configured limit', () => {
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

  it('let in what can hold its pixels and has the memory that it takes, and name what hinders others', () => {
    const limits = { milliseconds: 1500, mebibytes: 1024 }
    const refusal = (data: Uint8Array, needed: number): unknown => scalableHeader(data, limits, () => needed)
    expect(refusal(pngHeader(3, 2), 192)).to.have.nested.property('right.width', 3)
    expect(refusal(pngHeader(3, 2), 193)).to.deep.equal(
      E.left('Scaling the image would take 193 MB of memory; the limit for its 33 bytes is 192 MB.'),
    )
    expect(refusal(pngHeader(300, 200), 1)).to.deep.equal(E.left(brokenPixels))
    const scan = [0xff, 0xda, 0, 12, 3]
    const progressive = bytesOf(
      jpegHeader(8, 8, { frame: 0xc2 }),
      Array.from({ length: 99 }, () => scan).flat(),
    )
    expect(refusal(progressive, 1)).to.have.property('_tag', 'Right')
    expect(refusal(bytesOf(progressive, scan), 1)).to.deep.equal(
      E.left('The image comes in more than 100 scans.'),
    )
    const chunks = (count: number): Uint8Array => {
      const data = new Uint8Array(33 + count * 12)
      data.set(pngHeader(3, 2))
      return data
    }
    expect(refusal(chunks(19_999), 1)).to.have.property('_tag', 'Right')
    expect(refusal(chunks(20_000), 1)).to.deep.equal(E.left('The image comes in more than 20000 chunks.'))
    const webp = (count: number): Uint8Array => bytesOf(extendedWebp(3, 2, 0), new Uint8Array(count * 8))
    expect(refusal(webp(19_999), 1)).to.have.property('_tag', 'Right')
    expect(refusal(webp(20_000), 1)).to.have.property('_tag', 'Left')
    expect(refusal(pngHeader(0, 2), 1)).to.have.property('_tag', 'Left')
    expect(tookTooLong(limits)).to.equal('Scaling the image took longer than 1.5 seconds.')
    expect(tookTooMuch(192)).to.equal('Scaling the image took more than 192 MB of memory.')
  })
})
