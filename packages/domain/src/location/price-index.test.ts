/** How expensive a location is: sent in any letter case, read capitalized (docs/behaviour/locations.md#price-index). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { valueContext } from '../testing/index.js'
import { priceIndex } from './price-index.js'

const read = (value: unknown) => priceIndex.decode(value, valueContext)

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
      expect(read(sent)).to.deep.equal(E.right(shown))
      expect(read(shown)).to.deep.equal(E.right(shown))
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
            expect(read(text)).to.deep.equal(E.right(shown))
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
      expect(E.isLeft(read(value)), String(value)).to.equal(true)
  })
})
