/** The text that lists order by: without case and accents, and short. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { anyCharacter } from '../testing/legal-markup.js'
import { fold } from './fold.js'

describe('fold', () => {
  it('is equal for words that differ in case, accents or compatibility forms', () => {
    expect(fold('Éclair')).to.equal('eclair')
    expect(fold('ECLAIR')).to.equal('eclair')
    expect(fold('Ｅｃｌａｉｒ')).to.equal('eclair')
    expect(fold('ﬁnal')).to.equal('final')
    expect(fold('İstanbul')).to.equal('istanbul')
    expect(fold('a\u0308')).to.equal(fold('ä'))
    expect(fold('ΟΔΟΣ')).to.equal(fold('οδοσ'))
  })

  it('orders letters without a decomposition by their base letters, and ignores invisible characters', () => {
    const titles = ['Zebra', 'Strata', 'Łódź', 'Straße', 'Øre', 'Mitte']
    expect(titles.toSorted((a, b) => (fold(a) < fold(b) ? -1 : 1))).to.deep.equal([
      'Łódź',
      'Mitte',
      'Øre',
      'Straße',
      'Strata',
      'Zebra',
    ])
    expect(fold('\u200bSo\u00adft')).to.equal('soft')
  })

  it('preserves characters that are neither letters nor accents', () => {
    expect(fold('1. FC “Köln” 😀')).to.equal('1. fc “koln” 😀')
  })

  it('returns a well-formed text of at most 200 characters, and is idempotent', () => {
    const units = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 500 })
    fc.assert(
      fc.property(fc.oneof(units, fc.string({ unit: anyCharacter, maxLength: 300 })), (text) => {
        const folded = fold(text)
        expect(folded.length).to.be.at.most(200)
        expect(folded.isWellFormed()).to.equal(true)
        expect(fold(folded)).to.equal(folded)
      }),
      { numRuns: 1000 },
    )
  })

  it('accepts a text whose normalization is a hundred times as long', () => {
    expect(fold('\ufdfa'.repeat(10_000)).length).to.equal(200)
  })
})
