/** The sizes of images that are not scaled: AVIF, HEIC and SVG. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import type { Size } from '@publishing-service/domain/images'
import { bigEnd, bytesOf, type Part } from './image-bytes.test-data.js'
import { readImage, readImageHeader, startImageHeader } from './read-image-header.js'

/** The size that is recorded of data; null if none is. */
const sizeOf = (data: Uint8Array, pieceLength = data.length): Size | null => {
  const reading = readImage()
  for (let at = 0; at < data.length; at += pieceLength) reading.push(data.subarray(at, at + pieceLength))
  const read = reading.end(data.length)
  if (E.isLeft(read)) return null
  const { width, height, format, isCmyk } = read.right
  expect({ format, isCmyk }).to.deep.equal({ format: null, isCmyk: false })
  return { width, height }
}

const box = (type: string, ...content: readonly Part[]): Uint8Array => {
  const body = bytesOf(...content)
  return bytesOf(bigEnd(body.length + 8, 4), type, body)
}

const full = (type: string, version: number, flags: number, ...content: readonly Part[]): Uint8Array =>
  box(type, version, bigEnd(flags, 3), ...content)

const fileType = (...brands: readonly string[]): Uint8Array => {
  const [first = '', ...others] = brands
  return box('ftyp', first, [0, 0, 0, 0], others.join(''))
}

const ispe = (width: number, height: number): Uint8Array =>
  full('ispe', 0, 0, bigEnd(width, 4), bigEnd(height, 4))
const irot = (angle: number): Uint8Array => box('irot', angle)
const clap = (width: number, height: number, divisor = 1): Uint8Array =>
  box('clap', ...[width, divisor, height, divisor, 0, 1, 0, 1].map((each) => bigEnd(each, 4)))

type Item = { readonly id: number; readonly properties: readonly number[] }

/** Metadata whose properties have the numbers 1, 2, … */
const metaOf = (
  properties: readonly Uint8Array[],
  items: readonly Item[],
  { isWide = false, version = 0, primary = 1 } = {},
): Uint8Array => {
  const id = (number: number) => bigEnd(number, version === 0 ? 2 : 4)
  const entries = items.flatMap((item) => [
    id(item.id),
    item.properties.length,
    // The first bit says that a property is essential.
    ...item.properties.map((number) => (isWide ? bigEnd(0x8000 + number, 2) : [0x80 + number])),
  ])
  return full(
    'meta',
    0,
    0,
    full('hdlr', 0, 0, new Uint8Array(20)),
    full('pitm', version, 0, id(primary)),
    box(
      'iprp',
      box('ipco', ...properties),
      full('ipma', version, isWide ? 1 : 0, bigEnd(items.length, 4), ...entries),
    ),
  )
}

const avif = (meta: Uint8Array, ...before: readonly Uint8Array[]): Uint8Array =>
  bytesOf(fileType('avif', 'mif1', 'miaf'), ...before, meta, box('mdat', new Uint8Array(50)))

const withProperties = (...properties: readonly Uint8Array[]): Uint8Array =>
  avif(metaOf(properties, [{ id: 1, properties: properties.map((_, index) => index + 1) }]))

describe('the size of an AVIF or HEIC', () => {
  it('is that of its primary item, however the data is split', () => {
    const properties = [ispe(160, 120), box('pixi', 0, 0, 0, 0), ispe(4000, 3000), ispe(512, 512)]
    const items = [
      { id: 1, properties: [4] },
      { id: 7, properties: [2, 3] },
      { id: 8, properties: [1] },
    ]
    for (const version of [0, 1])
      for (const isWide of [false, true])
        for (const brand of ['avif', 'heic']) {
          const meta = metaOf(properties, items, { version, isWide, primary: 7 })
          const data = bytesOf(fileType(brand, 'mif1'), box('free', new Uint8Array(9)), meta)
          for (const pieceLength of [1, 7, data.length])
            expect(sizeOf(data, pieceLength), `${brand} ${version}`).to.deep.equal({
              width: 4000,
              height: 3000,
            })
        }
  })

  it('is cropped and rotated in the order of its properties', () => {
    for (const [angle, width, height] of [
      [0, 40, 30],
      [1, 30, 40],
      [2, 40, 30],
      [3, 30, 40],
    ] as const)
      expect(sizeOf(withProperties(ispe(40, 30), irot(angle))), String(angle)).to.deep.equal({
        width,
        height,
      })
    expect(sizeOf(withProperties(ispe(40, 30), clap(20, 10), irot(1)))).to.deep.equal({
      width: 10,
      height: 20,
    })
    expect(sizeOf(withProperties(ispe(40, 30), clap(60, 30, 3)))).to.deep.equal({ width: 20, height: 10 })
    expect(sizeOf(withProperties(ispe(40, 30), box('imir', 1)))).to.deep.equal({ width: 40, height: 30 })
  })

  it('is the whole for an aperture that is none', () => {
    for (const aperture of [clap(0, 0), clap(41, 30), clap(20, 10, 0), clap(25, 10, 2)])
      expect(sizeOf(withProperties(ispe(40, 30), aperture))).to.deep.equal({ width: 40, height: 30 })
  })

  it('is found after data of any length, and after long boxes', () => {
    const meta = metaOf([ispe(40, 30)], [{ id: 1, properties: [1] }])
    expect(sizeOf(avif(meta, box('mdat', new Uint8Array(300_000))))).to.deep.equal({ width: 40, height: 30 })
    const long = bytesOf(bigEnd(1, 4), 'free', bigEnd(0, 4), bigEnd(20, 4), [1, 2, 3, 4])
    expect(sizeOf(avif(meta, long))).to.deep.equal({ width: 40, height: 30 })
    const profile = box('colr', new Uint8Array(200_000))
    expect(sizeOf(withProperties(profile, ispe(40, 30)))).to.deep.equal({ width: 40, height: 30 })
    const toTheEnd = bytesOf(fileType('avif'), [0, 0, 0, 0], meta.subarray(4))
    expect(sizeOf(toTheEnd)).to.deep.equal({ width: 40, height: 30 })
  })

  it('is null for films, for other boxes, and for data that ends before it', () => {
    const data = withProperties(ispe(40, 30))
    expect(sizeOf(data)).not.to.equal(null)
    const meta = metaOf([ispe(40, 30)], [{ id: 1, properties: [1] }])
    expect(sizeOf(bytesOf(fileType('isom', 'mp42'), meta))).to.equal(null)
    // The number after the first brand is a version.
    expect(sizeOf(bytesOf(box('ftyp', 'isom', 'avif', 'mp42'), meta))).to.equal(null)
    const short = data.length - box('mdat', new Uint8Array(50)).length - 1
    expect(sizeOf(data.subarray(0, short))).to.equal(null)
    expect(sizeOf(avif(metaOf([ispe(40, 30)], [{ id: 2, properties: [1] }])))).to.equal(null)
    expect(sizeOf(avif(metaOf([ispe(40, 30)], [{ id: 1, properties: [2] }])))).to.equal(null)
  })

  it('is null if it is impossible', () => {
    for (const [width, height] of [
      [0, 30],
      [40, 0],
      [1_000_001, 1],
      [2 ** 32 - 1, 2 ** 32 - 1],
    ] as const)
      expect(sizeOf(withProperties(ispe(width, height)))).to.equal(null)
  })

  it('ends in a limited number of boxes, and with boxes that do not fit', () => {
    const many = startImageHeader()
    many.push(fileType('avif'))
    const empty = box('free')
    for (let part = 0; part < 5001; part += 1) many.push(empty)
    expect(many.isDone()).to.equal(true)
    const inside = Array.from({ length: 6000 }, () => empty)
    expect(sizeOf(withProperties(...inside, ispe(40, 30)))).to.equal(null)
    for (const length of [0, 7, 2 ** 31])
      expect(
        sizeOf(withProperties(bytesOf(bigEnd(length, 4), 'free'), ispe(40, 30))),
        String(length),
      ).to.equal(null)
  })

  it('never throws, and is never impossible, whatever bytes are changed', () => {
    const whole = withProperties(clap(20, 10), ispe(40, 30), irot(1))
    const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: whole.length }),
        (changes, end) => {
          const data = Uint8Array.from(whole)
          for (const [at, value] of changes) data[at] = value
          const reading = startImageHeader()
          reading.push(data.subarray(0, end))
          const read = reading.end()
          if (E.isLeft(read)) return
          for (const side of [read.right.width, read.right.height]) {
            expect(Number.isInteger(side)).to.equal(true)
            expect(side).to.be.within(1, 1_000_000)
          }
        },
      ),
      { numRuns: 5000 },
    )
  })
})

describe('the size of an SVG', () => {
  const svgSize = (text: string): Size | null => sizeOf(bytesOf(text))
  const withAttributes = (attributes: string): Size | null =>
    svgSize(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><g/></svg>`)

  it('is its width and height in absolute units', () => {
    for (const [attributes, width, height] of [
      ['width="300" height="200"', 300, 200],
      [`height='20px'\n width = ' 30PX '`, 30, 20],
      ['width="1in" height="25.4mm"', 96, 96],
      ['width="2.54cm" height="72pt"', 96, 96],
      ['width="6pc" height="101.6Q"', 96, 96],
      ['width="1.2e2" height=".5e1"', 120, 5],
      ['width="300.4" height="0.2"', 300, 1],
      ['width="30" height="20" viewBox="0 0 900 900"', 30, 20],
    ] as const)
      expect(withAttributes(attributes), attributes).to.deep.equal({ width, height })
  })

  it('is that of its viewBox otherwise, whose proportions complete one side', () => {
    for (const [attributes, width, height] of [
      ['viewBox="0 0 24 48"', 24, 48],
      ['viewBox="-10,-20 , 24.4,48.6"', 24, 49],
      ['width="100%" height="100%" viewBox="0 0 24 48"', 24, 48],
      ['width="10em" viewBox="0 0 24 48"', 24, 48],
      ['width="12" viewBox="0 0 24 48"', 12, 24],
      ['width="100%" height="96" viewBox="0 0 24 48"', 48, 96],
    ] as const)
      expect(withAttributes(attributes), attributes).to.deep.equal({ width, height })
  })

  it('is null without a usable one', () => {
    for (const attributes of [
      '',
      'width="100%" height="100%"',
      'width="300"',
      'width="0" height="20"',
      'width="-3" height="20"',
      'width="a" height="b"',
      'width="1e20" height="1"',
      'width="&w;" height="20"',
      'viewBox="0 0 0 10"',
      'viewBox="0 0 10"',
      'viewBox="0 0 10 10 10"',
      'viewBox="0 0 Infinity 10"',
      'data-width="3" data-height="2"',
      'width=3 height=2',
    ])
      expect(withAttributes(attributes), attributes).to.equal(null)
    expect(svgSize('<svg width="3" height="2"')).to.equal(null)
  })

  it('is that of the root element, after what may be before it', () => {
    const root = '<svg width="30" height="20"><svg width="1" height="1"/></svg>'
    const comment = '<!-- <svg width="9" height="9"> -->'
    const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" 'x>y' [ <!ENTITY a "<svg>"> ]>`
    for (const before of [
      '',
      '\u00ef\u00bb\u00bf',
      '\n\t ',
      '<?xml version="1.0"?>',
      `<?xml version="1.0"?>\n${doctype}\n${comment}`,
    ])
      expect(svgSize(before + root), before).to.deep.equal({ width: 30, height: 20 })
    expect(svgSize('<s:svg xmlns:s="http://www.w3.org/2000/svg" width="30" height="20"/>')).to.deep.equal({
      width: 30,
      height: 20,
    })
    for (const other of [
      '<html><svg width="3" height="2"/></html>',
      '<svgx width="3" height="2"/>',
      'svg',
      '<!-- <svg',
    ])
      expect(svgSize(other + root.slice(0, 0)), other).to.equal(null)
  })

  it('is read from the first 64 KB only, in linear time', () => {
    const root = '<svg width="30" height="20"/>'
    expect(svgSize(`<!--${' '.repeat(60_000)}-->${root}`)).to.deep.equal({ width: 30, height: 20 })
    const fillings = [' ', '<!--', '<?', '"', 'a=', ' a', "<!DOCTYPE '", '[', ' viewBox="0 0', ' width="']
    const data = fillings.flatMap((filling) =>
      ['<svg', '<svg viewBox="', '', '<'].map((before) =>
        bytesOf(before, filling.repeat(70_000 / filling.length), root),
      ),
    )
    const start = Date.now()
    for (const each of data) expect(sizeOf(each)).to.equal(null)
    expect(Date.now() - start).to.be.below(2000)
  })
})

describe('an image of which only the size is known', () => {
  it('is none that is scaled', () => {
    for (const data of [withProperties(ispe(40, 30)), bytesOf('<svg width="3" height="2"/>')]) {
      const read = readImageHeader(data)
      expect(E.isLeft(read) && read.left).to.include('not an image in a known format')
    }
  })
})
