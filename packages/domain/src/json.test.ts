/** Equality of JSON, which decides whether a write changes anything, and JSON in ASCII. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { asciiJson, asciiJsonPieces, isJsonObject, jsonBytes, jsonEqual, type Json } from './json.js'

const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => sorted(each))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

describe('jsonEqual', () => {
  it('agrees with the texts of values whose keys are sorted', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(jsonEqual(a, b)).to.equal(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
      }),
    )
  })

  it('finds a copy equal, with its keys in another order too', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(jsonEqual(value, JSON.parse(JSON.stringify(value)) as Json)).to.equal(true)
        expect(jsonEqual(value, sorted(value))).to.equal(true)
      }),
    )
  })

  it('distinguishes lists from objects, null from absent, and own keys from inherited ones', () => {
    expect(jsonEqual([], {})).to.equal(false)
    expect(jsonEqual({ a: null }, {})).to.equal(false)
    expect(jsonEqual({ a: null }, { b: null })).to.equal(false)
    expect(jsonEqual([1, 2], [2, 1])).to.equal(false)
    expect(jsonEqual(JSON.parse('{"__proto__": 1}') as Json, { toString: 1 })).to.equal(false)
    expect(jsonEqual({ toString: 1 }, { valueOf: 1 })).to.equal(false)
  })
})

const anything = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>

describe('JSON in ASCII', () => {
  it('contains only ASCII characters, and is read back equal', () =>
    fc.assert(
      fc.property(anything, (value) => {
        const text = asciiJson(value)
        expect(text).to.match(/^[\x20-\x7f]*$/)
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)))
      }),
    ))

  it('preserves lone surrogates', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })), (units) => {
        const text = String.fromCharCode(...units)
        expect(JSON.parse(asciiJson(text))).to.equal(text)
      }),
    ))

  it('escapes other characters with four digits, astral ones as surrogate pairs', () => {
    expect(asciiJson({ ü: '😀\u007f\u2028' })).to.equal('{"\\u00fc":"\\ud83d\\ude00\u007f\\u2028"}')
  })

  it('of a long text is encoded in pieces that concatenate to the same text', () => {
    const json = JSON.stringify('a\u00fc漢😀'.repeat(50_000))
    const pieces = [...asciiJsonPieces(json)]
    expect(pieces.length).to.be.above(2)
    expect(pieces.join('')).to.equal(asciiJson(JSON.parse(json) as Json))
  })

  it('is as long as its measured size', () =>
    fc.assert(
      fc.property(anything, (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as Json
        expect(jsonBytes(sent)).to.equal(asciiJson(sent).length)
      }),
    ))

  it('leaves what is ASCII as JSON writes it', () =>
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme-ascii' }), (value) => {
        expect(asciiJson(value as Json)).to.equal(JSON.stringify(value))
      }),
    ))
})
