/** Which images are rejected before anything is decoded, and the reasons. */
import { brokenPixels, E } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bytesOf, extendedWebp, jpegHeader, pngHeader } from './image-bytes.test-data.js'
import { scalableHeader } from './scalable-header.js'

describe('a scalable header', () => {
  it('is that of data that can contain its pixels and needs no more memory than allowed; else the reason is returned', () => {
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
  })
})
