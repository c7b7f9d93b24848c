/**
 * Durations, by example and as a property.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { parseDuration } from './parse-duration.js'

describe('a duration', () => {
  for (const duration of [
    'PT1H30M',
    'PT20M',
    'P2D',
    'P1W',
    'P1Y2M3W4DT5H6M7S',
    'PT0S',
    'PT1.5H',
    'PT1,5H',
    'P0.5D',
    'P1M',
    'PT1M',
    'PT090M',
  ]) {
    it(`may be ${duration}`, () => expect(parseDuration(duration)).to.deep.equal(E.right(duration)))
  }

  const expected = 'must be an ISO 8601 duration such as PT1H30M or P2D'
  for (const [duration, wrong] of [
    ['', expected],
    ['P', `${expected}: it has no number`],
    ['PT', `${expected}: hours, minutes or seconds must follow the T`],
    ['P1DT', `${expected}: hours, minutes or seconds must follow the T`],
    ['P1.5DT1H', `${expected}: only the last number may have decimals`],
    ['PT1.5H30M', `${expected}: only the last number may have decimals`],
    ['P1H', expected],
    ['PT1D', expected],
    ['PT1M1H', expected],
    ['PT1H1H', expected],
    ['1H', expected],
    ['pt1h', expected],
    ['-PT1H', expected],
    ['PT-1H', expected],
    ['PT1.H', expected],
    ['PT.5H', expected],
    ['PT1H ', expected],
    ['PT1H\n', expected],
    ['90 minutes', expected],
  ] as const) {
    it(`may not be ${JSON.stringify(duration)}`, () =>
      expect(parseDuration(duration)).to.deep.equal(E.left(wrong)))
  }

  it('is stored unchanged, with any components', () => {
    const component = (letter: string): fc.Arbitrary<string> =>
      fc.option(fc.nat(), { nil: null }).map((value) => (value === null ? '' : `${value}${letter}`))
    const components = (letters: string): fc.Arbitrary<string> =>
      fc.tuple(...Array.from(letters, component)).map((parts) => parts.join(''))
    fc.assert(
      fc.property(components('YMWD'), components('HMS'), (date, time) => {
        fc.pre(date !== '' || time !== '')
        const duration = `P${date}${time === '' ? '' : `T${time}`}`
        expect(parseDuration(duration)).to.deep.equal(E.right(duration))
      }),
    )
  })
})
