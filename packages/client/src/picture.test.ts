import { expect } from 'chai'
import { describe, it } from 'mocha'
import { picture, type PictureSource } from './picture.js'

const url = 'http://service.test/1/files/u/download/7'
const inWidths = (...widths: readonly number[]) =>
  widths.map((width) => ({ width, url: `${url}?w=${width}&format=auto` }))
const file: PictureSource = {
  url,
  width: 1400,
  height: 700,
  alt: 'A tram',
  focal_point: { x: 0.25, y: 0.5 },
  srcset: inWidths(320, 640, 960, 1280, 1400),
}

describe('picture', () => {
  it('has the widths of the image, and its own size', () => {
    expect(picture(file, { sizes: '100vw' })).to.deep.equal({
      src: `${url}?w=960&format=auto`,
      srcset: inWidths(320, 640, 960, 1280, 1400)
        .map(({ url: address, width }) => `${address} ${width}w`)
        .join(', '),
      sizes: '100vw',
      width: 1400,
      height: 700,
      alt: 'A tram',
    })
  })

  it('crops around the focal point, in no size that the image does not have', () => {
    const crop = picture(file, { sizes: '20rem', ratio: 1 })
    expect(crop).to.include({ width: 700, height: 700 })
    expect(crop.srcset?.split(', ')).to.deep.equal(
      [320, 640, 700].map(
        (side) => `${url}?w=${side}&h=${side}&fit=cover&format=auto&focal_point=0.25,0.5 ${side}w`,
      ),
    )
    const centred = picture({ ...file, focal_point: null }, { sizes: '20rem', ratio: 16 / 9 })
    expect(centred.src).to.equal(`${url}?w=960&h=540&fit=cover&format=auto&focal_point=0.5,0.5`)
  })

  it('is the image as it was uploaded if it is not scaled', () => {
    const vector = { ...file, alt: null, width: null, height: null, srcset: [] }
    expect(picture(vector, { sizes: '100vw', ratio: 1 })).to.deep.equal({ src: url, alt: '' })
    expect(picture({ ...file, srcset: [] }, { sizes: '100vw' })).to.include({ width: 1400, height: 700 })
  })

  it('is as small as its image', () => {
    const dot = { ...file, width: 1, height: 40, srcset: inWidths(1) }
    expect(picture(dot, { sizes: '1px' })).to.include({ src: dot.srcset[0]?.url, width: 1, height: 40 })
    expect(picture(dot, { sizes: '1px', ratio: 2 })).to.include({ width: 1, height: 1 })
  })
})
