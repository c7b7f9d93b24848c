/** Parameters of downloads, and the derivatives that they ask for (docs/behaviour/files.md#scaling). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { boxRatios, cropped, roundedCrop } from './crop.js'
import { filenameIn } from './image-format.js'
import {
  derivativeName,
  imageParameters,
  mostAvifPixels,
  parseImageRequest,
  renderingOf,
  requestFaults,
  imageQuery,
  type ImageRequest,
  type OriginalImage,
  type Rendering,
  type SentImageRequest,
} from './image-request.js'
import { boxSides, maxBoxSide } from './scaled-size.js'

const none = {
  w: undefined,
  h: undefined,
  fit: undefined,
  focal_point: undefined,
  format: undefined,
  q: undefined,
}
const sent = (parameters: Partial<SentImageRequest>): SentImageRequest => ({ ...none, ...parameters })

const requestOf = (parameters: Partial<SentImageRequest>): ImageRequest => {
  const parsed = parseImageRequest(sent(parameters))
  if (E.isLeft(parsed) || parsed.right === null) throw new Error(JSON.stringify(parsed))
  return parsed.right
}

const faultsOf = (parameters: Partial<SentImageRequest>): readonly string[] => {
  const parsed = parseImageRequest(sent(parameters))
  return E.isLeft(parsed) ? parsed.left.map(({ path }) => path) : []
}

describe('parseImageRequest', () => {
  it('reads the parameters that were sent; null for none', () => {
    expect(parseImageRequest(none)).to.deep.equal(E.right(null))
    const nothing = { w: null, h: null, fit: null, focal_point: null, format: null, q: null }
    expect(requestOf({ w: '1' })).to.deep.equal({ ...nothing, w: 1 })
    expect(requestOf({ w: '010', h: '10000' })).to.deep.equal({ ...nothing, w: 10, h: 10_000 })
    expect(requestOf({ q: 'low', format: 'auto' })).to.deep.equal({ ...nothing, q: 'low', format: 'auto' })
    expect(requestOf({ w: '4', h: '3', fit: 'cover', focal_point: '0.5,1' })).to.deep.equal({
      ...nothing,
      w: 4,
      h: 3,
      fit: 'cover',
      focal_point: { x: 0.5, y: 1 },
    })
  })

  it('has a fault for each parameter that is not accepted', () => {
    for (const wrong of [
      '',
      '0',
      '10001',
      '-1',
      '1.5',
      '1e3',
      '0x10',
      ' 1',
      'x',
      '٣',
      '1&2',
      '99999999999',
    ]) {
      expect(faultsOf({ w: wrong, h: wrong }), wrong).to.deep.equal(['w', 'h'])
      expect(faultsOf({ w: '5', h: wrong })).to.deep.equal(['h'])
    }
    for (const wrong of ['', '0.5', '0.5,', '0.5,1.1', '-0,0', '0.5,0.5,0.5', 'a,b', '1e3,0'])
      expect(faultsOf({ w: '1', h: '1', fit: 'cover', focal_point: wrong }), wrong).to.deep.equal([
        'focal_point',
      ])
    expect(faultsOf({ fit: 'crop', format: 'gif', q: '50' })).to.deep.equal(['fit', 'format', 'q'])
  })

  it('needs both sides for a crop, and a crop for a focal point', () => {
    expect(faultsOf({ fit: 'cover' })).to.deep.equal(['w', 'h'])
    expect(faultsOf({ fit: 'cover', w: '1' })).to.deep.equal(['h'])
    expect(faultsOf({ fit: 'cover', w: 'x', h: '1' })).to.deep.equal(['w'])
    expect(faultsOf({ fit: 'inside', w: '1' })).to.deep.equal([])
    expect(faultsOf({ w: '1', h: '1', focal_point: '0.5,0.5' })).to.deep.equal(['focal_point'])
  })

  it('reads what an address has', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fraction, fraction, (x, y) => {
        const request = requestOf({ w: '4', h: '3', fit: 'cover', focal_point: `${x},${y}`, format: 'webp' })
        const pairs = imageQuery(request)
          .split('&')
          .map((pair) => pair.split('=') as [string, string])
        expect(requestOf(Object.fromEntries(pairs))).to.deep.equal(request)
        expect(pairs.map(([name]) => name)).to.deep.equal(imageParameters.filter((name) => name !== 'q'))
      }),
    )
  })

  it('has the same fault for each parameter that was sent', () => {
    expect(requestFaults(requestOf({ h: '2', q: 'best' }), 'x')).to.deep.equal([
      { path: 'h', code: 'rule', message: 'x' },
      { path: 'q', code: 'rule', message: 'x' },
    ])
  })
})

const side = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 }))
const size = fc.record({ width: side, height: side })
const boxSide = fc.integer({ min: 1, max: maxBoxSide })
const wholeBox = fc.record({ w: boxSide, h: boxSide })
const point = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe('cropped', () => {
  it('is a part of the image, as large as possible, that is never enlarged and within the box', () => {
    fc.assert(
      fc.property(size, wholeBox, point, (image, box, focal) => {
        const { region, size: scaled } = cropped(image, box, focal)
        expect(region.left).to.be.within(0, image.width - region.width)
        expect(region.top).to.be.within(0, image.height - region.height)
        expect(region.width === image.width || region.height === image.height).to.equal(true)
        expect(scaled.width).to.be.within(1, Math.min(box.w, region.width))
        expect(scaled.height).to.be.within(1, Math.min(box.h, region.height))
        if (region.width >= box.w && region.height >= box.h)
          expect(scaled).to.deep.equal({ width: box.w, height: box.h })
      }),
      { numRuns: 1000 },
    )
  })

  it('has the focal point in its middle, or as near to that as the edge permits', () => {
    const image = { width: 1000, height: 500 }
    const leftOf = (x: number): number => cropped(image, { w: 100, h: 100 }, { x, y: 0.5 }).region.left
    expect([0, 0.2, 0.25, 0.4, 0.5, 0.9, 1].map(leftOf)).to.deep.equal([0, 0, 0, 150, 250, 500, 500])
  })
})

describe('roundedCrop', () => {
  it('preserves the usual proportions, and has widths of the list', () => {
    expect(roundedCrop({ w: 300, h: 200 })).to.deep.equal({ w: 320, h: 213 })
    expect(roundedCrop({ w: 1200, h: 630 })).to.deep.equal({ w: 1280, h: 672 })
    expect(roundedCrop({ w: 90, h: 160 })).to.deep.equal({ w: 120, h: 213 })
    expect(roundedCrop({ w: 1, h: 10_000 })).to.deep.equal({ w: 40, h: 120 })
  })

  it('results in a limited number of sizes', () => {
    const sizes = new Set<string>()
    for (let w = 1; w <= maxBoxSide; w += 37)
      for (let h = 1; h <= maxBoxSide; h += 41) sizes.add(JSON.stringify(roundedCrop({ w, h })))
    expect(sizes.size).to.be.at.most(boxSides.length * (boxRatios.length * 2 - 1))
  })
})

describe('renderingOf', () => {
  const jpeg: OriginalImage = {
    width: 800,
    height: 600,
    format: 'image/jpeg',
    isCmyk: false,
    isOpaque: false,
  }
  const png: OriginalImage = { ...jpeg, format: 'image/png' }
  const photograph: OriginalImage = { ...png, isOpaque: true }
  const gif: OriginalImage = { ...jpeg, format: 'image/gif' }
  const circumstances = {
    formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    makes: ['image/avif', 'image/webp', 'image/jpeg', 'image/png'],
    cmyk: false,
    accepted: [],
    focalPoint: null,
    isRounded: false,
  } as const
  type Given = Parameters<typeof renderingOf>[2]

  const rendered = (
    image: OriginalImage | null,
    parameters: Partial<SentImageRequest>,
    given: Partial<Given> = {},
  ): Rendering | null => {
    const result = renderingOf(image, requestOf(parameters), { ...circumstances, ...given })
    if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
    return result.right
  }
  const refused = (
    image: OriginalImage | null,
    parameters: Partial<SentImageRequest>,
    given: Partial<Given> = {},
  ): readonly string[] => {
    const result = renderingOf(image, requestOf(parameters), { ...circumstances, ...given })
    return E.isLeft(result) ? result.left.map(({ path, message }) => `${path} ${message}`) : []
  }
  const half = { size: { width: 400, height: 300 }, region: null, format: null, quality: 'high' }

  it('scales in the format of the original, and sends the original if it fits', () => {
    expect(rendered(jpeg, { w: '400' })).to.deep.equal(half)
    for (const parameters of [{ w: '800' }, { w: '800', h: '600', fit: 'cover' }, { fit: 'inside' }])
      expect(rendered(jpeg, parameters)).to.equal(null)
    expect(rendered(jpeg, { w: '400' }, { isRounded: true })).to.have.nested.property('size.width', 480)
  })

  it('crops around the focal point, else around the centre', () => {
    const square = { w: '60', h: '60', fit: 'cover' }
    expect(rendered(jpeg, square)).to.deep.equal({
      ...half,
      size: { width: 60, height: 60 },
      region: { left: 100, top: 0, width: 600, height: 600 },
    })
    expect(rendered(jpeg, square, { focalPoint: { x: 1, y: 0 } })).to.have.nested.property('region.left', 200)
  })

  it('makes another format or quality of an image that fits', () => {
    const whole = { ...half, size: { width: 800, height: 600 } }
    expect(rendered(jpeg, { format: 'webp' })).to.deep.equal({ ...whole, format: 'image/webp' })
    expect(rendered(jpeg, { format: 'jpeg' })).to.deep.equal(whole)
    expect(rendered(jpeg, { q: 'low' })).to.deep.equal({ ...whole, quality: 'low' })
    // PNG has no quality.
    expect(rendered(png, { q: 'low' })).to.equal(null)
    expect(rendered(png, { w: '400', q: 'low' })).to.deep.equal(half)
    expect(rendered(jpeg, { w: '400', format: 'png', q: 'low' })).to.deep.equal({
      ...half,
      format: 'image/png',
    })
  })

  it('chooses a format that the client names and the deployment makes', () => {
    const chosen = (image: OriginalImage, given: Partial<Given>) =>
      rendered(image, { w: '400', format: 'auto' }, given)?.format
    const all = ['image/avif', 'image/webp'] as const
    expect(chosen(jpeg, { accepted: all })).to.equal('image/avif')
    expect(chosen(jpeg, { accepted: ['image/webp'] })).to.equal('image/webp')
    expect(chosen(png, { accepted: all, makes: ['image/webp', 'image/png'] })).to.equal('image/webp')
    expect(chosen(jpeg, {})).to.equal(null)
    // Transparency is preserved.
    expect(chosen(png, {})).to.equal(null)
    expect(chosen(photograph, {})).to.equal('image/jpeg')
    expect(chosen(gif, {})).to.equal('image/png')
  })

  it('chooses no format for which the image is too large', () => {
    const chosen = (width: number, height: number) =>
      rendered({ ...jpeg, width, height }, { format: 'auto' }, { accepted: ['image/avif', 'image/webp'] })
        ?.format
    expect(chosen(2000, mostAvifPixels / 2000)).to.equal('image/avif')
    expect(chosen(2000, mostAvifPixels / 2000 + 1)).to.equal('image/webp')
    expect(chosen(16_384, 1000)).to.equal(null)
    expect(chosen(65_536, 1000)).to.equal('image/png')
  })

  it('sends an image that is not scaled, and a GIF that fits, as it is with auto', () => {
    expect(rendered(null, { w: '10', format: 'auto', q: 'low' })).to.equal(null)
    expect(rendered({ ...jpeg, format: 'image/bmp' }, { w: '10' })).to.equal(null)
    const cmyk = { ...jpeg, isCmyk: true }
    expect(rendered(cmyk, { w: '10', format: 'auto' })).to.equal(null)
    expect(rendered(cmyk, { w: '10', format: 'auto' }, { cmyk: true })).to.not.equal(null)
    expect(rendered(gif, { format: 'auto' }, { accepted: ['image/webp'] })).to.equal(null)
    expect(rendered(gif, { format: 'auto', w: '10' }, { accepted: ['image/webp'] })).to.have.property(
      'format',
      'image/webp',
    )
  })

  it('refuses a named format that cannot be made, and says which can', () => {
    expect(refused(jpeg, { format: 'avif' }, { makes: ['image/webp', 'image/png'] })[0]).to.match(
      /^format .*webp, png$/,
    )
    for (const image of [null, { ...jpeg, format: 'image/bmp' } as const])
      expect(refused(image, { format: 'png' })[0]).to.match(/^format /)
    expect(refused({ ...jpeg, width: 65_535 }, { format: 'webp' })[0]).to.include('16383')
    expect(refused({ ...jpeg, width: 65_535 }, { format: 'webp', w: '900' })).to.deep.equal([])
  })
})

describe('derivativeName', () => {
  it('is the same exactly for what is rendered the same by the same adapter', () => {
    const plain: Rendering = { size: { width: 40, height: 30 }, region: null, format: null, quality: 'high' }
    const region = { left: 1, top: 2, width: 80, height: 60 }
    const others: readonly Rendering[] = [
      plain,
      { ...plain, size: { width: 30, height: 40 } },
      { ...plain, format: 'image/webp' },
      { ...plain, format: 'image/avif' },
      { ...plain, quality: 'low' },
      { ...plain, region },
      { ...plain, region: { ...region, left: 2 } },
    ]
    // Those that earlier versions have stored are found.
    expect(derivativeName(plain, 'jimp-3')).to.equal('40x30-jimp-3')
    const names = others.flatMap((each) => [derivativeName(each, 'jimp-3'), derivativeName(each, 'sharp-1')])
    expect(new Set(names).size).to.equal(others.length * 2)
    for (const name of names) expect(name).to.match(/^[\w.-]{1,80}$/)
  })
})

describe('filenameIn', () => {
  it('has the extension of the format in place of that of the original', () => {
    expect(filenameIn('The moon.JPG', 'image/avif')).to.equal('The moon.avif')
    expect(filenameIn('moon.tar.gz', 'image/jpeg')).to.equal('moon.tar.jpg')
    expect(filenameIn('Mr. Moon', 'image/webp')).to.equal('Mr. Moon.webp')
    expect(filenameIn('moon', 'image/png')).to.equal('moon.png')
  })
})
