import { expect } from 'chai'
import { describe, it } from 'mocha'
import fc from 'fast-check'
import { E } from '../fp.js'
import { valueContext } from '../testing/index.js'
import { coordinates, facebookUid, priceIndex } from './location-attributes.js'

// A place on the globe: two numbers within the bounds of the globe.

const readCoordinates = (value: unknown) => coordinates.decode(value, valueContext)

const pathsOf = (value: unknown): readonly string[] => {
  const result = readCoordinates(value)
  return E.isLeft(result) ? result.left.map(({ path }) => path) : ['taken']
}

describe('coords', () => {
  it('are latitude and longitude, the bounds included', () => {
    for (const pair of [
      [48.2082, 16.3738],
      [90, 180],
      [-90, -180],
      [0, 0],
    ])
      expect(readCoordinates(pair)).to.deep.equal(E.right(pair))
    expect(readCoordinates([-0, 0])).to.deep.equal(E.right([0, 0]))
    expect(readCoordinates(['48.2082', '-180'])).to.deep.equal(E.right([48.2082, -180]))
  })

  it('have a fault at the index that is out of bounds or not a number', () => {
    expect(pathsOf([90.0001, 0])).to.deep.equal(['0'])
    expect(pathsOf([0, -180.0001])).to.deep.equal(['1'])
    expect(pathsOf([91, 181])).to.deep.equal(['0', '1'])
    expect(pathsOf(['48.2 N', 16])).to.deep.equal(['0'])
    expect(pathsOf([null, NaN])).to.deep.equal(['0', '1'])
  })

  it('are a list of two', () => {
    for (const value of [[], [1], [1, 2, 3], '48,16', { lat: 1, long: 2 }, null, 1])
      expect(pathsOf(value)).to.deep.equal([''])
  })
})

// fb_uid accepts names and numbers, as text or as whole numbers (docs/behaviour/locations.md#facebook-id).

const readName = (value: unknown) => facebookUid.decode(value, valueContext)

describe('fb_uid', () => {
  it('is stored as text, also if it was sent as a number', () => {
    expect(readName('100044512345678')).to.deep.equal(E.right('100044512345678'))
    expect(readName(100044512345678)).to.deep.equal(E.right('100044512345678'))
    for (const each of ['007', 'the.daily-test_1', '-1', 'a'.repeat(100)])
      expect(readName(each)).to.deep.equal(E.right(each))
    expect(readName(-1)).to.deep.equal(E.right('-1'))
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        expect(readName(number)).to.deep.equal(E.right(String(number)))
        expect(readName(number)).to.deep.equal(readName(String(number)))
      }),
    )
  })

  it('is 1 to 100 letters, digits, underscores, dots and hyphens', () => {
    for (const value of [
      '',
      'a/b',
      'ä',
      '1 2',
      1.5,
      1e21,
      Number.MAX_SAFE_INTEGER + 1,
      NaN,
      'a'.repeat(101),
      null,
    ])
      expect(E.isLeft(readName(value)), String(value)).to.equal(true)
  })
})

// How expensive a location is: sent in any letter case, read capitalized (docs/behaviour/locations.md#price-index).

const readLevel = (value: unknown) => priceIndex.decode(value, valueContext)

const levels = {
  free: 'Free',
  inexpensive: 'Inexpensive',
  moderate: 'Moderate',
  expensive: 'Expensive',
  very_expensive: 'Very expensive',
} as const

describe('price_index', () => {
  it('is returned capitalized, and accepted in this form', () => {
    for (const [sent, shown] of Object.entries(levels)) {
      expect(readLevel(sent)).to.deep.equal(E.right(shown))
      expect(readLevel(shown)).to.deep.equal(E.right(shown))
    }
  })

  it('is accepted in any letter case, with a space or an underscore', () => {
    const letters = (word: string) =>
      fc
        .tuple(...[...word].map(() => fc.boolean()))
        .map((upper) => [...word].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''))
    for (const [sent, shown] of Object.entries(levels))
      for (const word of [sent, sent.replace('_', ' ')])
        fc.assert(
          fc.property(letters(word), (text) => {
            expect(readLevel(text)).to.deep.equal(E.right(shown))
          }),
        )
  })

  it('rejects other values', () => {
    for (const value of [
      '',
      ' free',
      'cheap',
      'very  expensive',
      'very-expensive',
      'very_expensive_',
      3,
      null,
    ])
      expect(E.isLeft(readLevel(value)), String(value)).to.equal(true)
  })
})
