/** The compared form of paths (docs/behaviour/paths.md#comparison). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { comparedText, foldCase, writtenBetween } from './public-path.js'

describe('the compared form of a path', () => {
  it('is the same for every way to write a letter', () => {
    for (const text of [
      '/über/',
      '/%C3%BCber/',
      '/%c3%bcber/',
      '/ÜBER/',
      '/u\u0308ber/',
      '/u%CC%88ber/',
      '/%75ber/',
    ])
      expect(comparedText(text), text).to.equal(text === '/%75ber/' ? '/uber/' : '/über/')
    expect(comparedText('/Stra%C3%9Fe/')).to.equal(comparedText('/straẞe/'))
    expect(comparedText('/strasse/')).not.to.equal(comparedText('/straße/'))
    expect(comparedText('/ΟΔΟΣ/')).to.equal(comparedText('/οδος/'))
    expect(comparedText('/\u1112\u1161\u11ab/')).to.equal(comparedText('/한/'))
    expect(comparedText('/ı/')).not.to.equal(comparedText('/i/'))
  })

  it('leaves delimiters, control characters and bytes that are not UTF-8 encoded', () => {
    expect(comparedText('/a%2Fb%3F%23%00%20/')).to.equal('/a%2fb%3f%23%00 /')
    expect(comparedText('/%FC%C3%BC%E4/%/%4')).to.equal('/%fcü%e4/%/%4')
  })

  it('has the case folding of Unicode', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const letter = String.fromCodePoint(code)
      const folded = foldCase(letter)
      if (folded === letter) continue
      const sameInUnicode = new RegExp(`^\\u{${code.toString(16)}}$`, 'iu')
      expect(sameInUnicode.test(folded), letter).to.equal(true)
      expect(foldCase(folded)).to.equal(folded)
    }
  })

  it('keeps the parts of a text apart', () => {
    const text = '/%C3%9Cber/u\u0308ber/x'
    expect(writtenBetween(text, 6, 10)).to.equal('u\u0308ber')
    expect(writtenBetween(text, 1, 2)).to.equal('%C3%9C')
    expect(writtenBetween('/q\u0302/', 2, 3)).to.equal(null)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('%C3%BC', 'Ü', 'u', '\u0308', 'a', '%', '/') }),
        (whole) => {
          expect(writtenBetween(whole, 0, comparedText(whole).length)).to.equal(whole)
        },
      ),
    )
  })
})
