/** Which images are rejected before anything is decoded, and the reasons. */
import { E } from '@publishing-service/domain/fp'
import { unreadablePixels } from '@publishing-service/domain/images'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bytesOf, extendedWebp, jpegHeader, pngHeader } from './image-bytes.test-data.js'
import type { ImageHeader } from './image-header.js'
import { readImageHeader } from './read-image-header.js'
import { scalingRefusal } from './scalable-header.js'

describe('a scalable header', () => {
  it('requires enough data for the pixels, and at most the allowed memory', () => {
    const limits = { milliseconds: 1500, mebibytes: 1024 }
    const result = (data: Uint8Array, needed: number): E.Either<string, ImageHeader> =>
      E.chain((header: ImageHeader) => {
        const refusal = scalingRefusal(header, data, limits, needed)
        return refusal === null ? E.right(header) : E.left(refusal)
      })(readImageHeader(data))
    expect(result(pngHeader(3, 2), 192)).to.have.nested.property('right.width', 3)
    expect(result(pngHeader(3, 2), 193)).to.deep.equal(
      E.left('Scaling the image would take 193 MB of memory; the limit for its 33 bytes is 192 MB.'),
    )
    expect(result(pngHeader(300, 200), 1)).to.deep.equal(E.left(unreadablePixels))
    const scan = [0xff, 0xda, 0, 12, 3]
    const progressive = bytesOf(
      jpegHeader(8, 8, { frame: 0xc2 }),
      Array.from({ length: 99 }, () => scan).flat(),
    )
    expect(result(progressive, 1)).to.have.property('_tag', 'Right')
    expect(result(bytesOf(progressive, scan), 1)).to.deep.equal(E.left('The image has more than 100 scans.'))
    const chunks = (count: number): Uint8Array => {
      const data = new Uint8Array(33 + count * 12)
      data.set(pngHeader(3, 2))
      return data
    }
    expect(result(chunks(19_999), 1)).to.have.property('_tag', 'Right')
    expect(result(chunks(20_000), 1)).to.deep.equal(E.left('The image has more than 20000 chunks.'))
    const webp = (count: number): Uint8Array => bytesOf(extendedWebp(3, 2, 0), new Uint8Array(count * 8))
    expect(result(webp(19_999), 1)).to.have.property('_tag', 'Right')
    expect(result(webp(20_000), 1)).to.have.property('_tag', 'Left')
    expect(result(pngHeader(0, 2), 1)).to.have.property('_tag', 'Left')
  })
})
