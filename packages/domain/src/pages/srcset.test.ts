/** The ladder of widths of an image (docs/images.md#responsive-images). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { srcsetOf, srcsetRenderings, srcsetWidths } from './picture.js'
import { viewOn } from '../testing/index.js'
import { file } from '../files/file.js'

describe('srcsetOf', () => {
  const view = viewOn(file, {})
  const fileOf = (width: number) => ({ width, height: 300, image_format: 'image/jpeg', upload: 7 })
  const widthsOf = (width: number): readonly number[] =>
    srcsetOf(view, 'u', fileOf(width)).map((entry) => entry.width)

  it('has the widths of the ladder below the original, and that of the original unless it is wider', () => {
    expect(widthsOf(100)).to.deep.equal([100])
    expect(widthsOf(700)).to.deep.equal([320, 480, 640, 700])
    expect(widthsOf(640)).to.deep.equal([320, 480, 640])
    expect(widthsOf(9000)).to.deep.equal(srcsetWidths)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (width) => {
        const widths = widthsOf(width)
        expect(Math.max(...widths)).to.be.at.most(width)
        expect(widths).to.deep.equal([...new Set(widths)].toSorted((a, b) => a - b))
      }),
    )
  })

  it('has addresses in the format that the browser accepts', () => {
    expect(srcsetOf(view, 'u', fileOf(480))[0]).to.deep.equal({
      width: 320,
      url: '/1/files/u/download/7?w=320&format=auto',
    })
  })

  it('is empty for what is no image, has no data, or cannot be scaled', () => {
    expect(srcsetOf(view, 'u', { ...fileOf(480), image_format: null })).to.deep.equal([])
    expect(srcsetOf(view, 'u', { ...fileOf(480), upload: null })).to.deep.equal([])
    expect(srcsetOf({ ...view, canScale: () => false }, 'u', fileOf(480))).to.deep.equal([])
  })
})

describe('srcsetRenderings', () => {
  const renderable = { formats: ['image/jpeg'], makes: ['image/webp', 'image/jpeg'], cmyk: false } as const
  const image = { height: 300, format: 'image/jpeg', isCmyk: false, isOpaque: true } as const
  const sizes = (width: number) =>
    srcsetRenderings({ ...image, width }, renderable).map(({ size, format }) => [size.width, format])

  it('are those that the addresses of the ladder request, in the best format', () => {
    expect(sizes(700)).to.deep.equal([
      [320, 'image/webp'],
      [480, 'image/webp'],
      [640, 'image/webp'],
      [700, 'image/webp'],
    ])
    expect(sizes(9000).map(([width]) => width)).to.deep.equal(srcsetWidths)
  })

  it('are none for an image that is sent as it is', () => {
    expect(srcsetRenderings({ ...image, width: 700, format: 'image/bmp' }, renderable)).to.deep.equal([])
  })
})
