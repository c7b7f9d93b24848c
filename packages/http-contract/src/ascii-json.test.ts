import { jsonBytes, type Json } from '@publishing-service/domain/json'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { asciiJson, asciiJsonPieces } from './ascii-json.js'

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

  it('is as long as the domain measures it', () =>
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
