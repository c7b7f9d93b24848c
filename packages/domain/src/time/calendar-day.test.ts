/**
 * Days of the calendar, by example and against the calendar of Temporal.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { Temporal } from 'temporal-polyfill'
import { E } from '../fp.js'
import { parseDate } from './calendar-day.js'

describe('a date', () => {
  for (const date of ['2024-05-17', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) {
    it(`may be ${date}`, () => expect(parseDate(date)).to.deep.equal(E.right(date)))
  }

  const shape = 'must be a date such as 2024-05-17 (YYYY-MM-DD)'
  for (const [date, wrong] of [
    ['', shape],
    ['2024-5-7', shape],
    ['20240517', shape],
    ['2024-05-17T00:00', shape],
    ['2024-05-17\n', shape],
    [' 2024-05-17', shape],
    ['٢٠٢٤-05-17', shape],
    ['-2024-05-17', shape],
    ['12024-05-17', shape],
    ['0000-01-01', '0000-01-01 does not exist: years go from 0001 to 9999'],
    ['2024-00-01', '2024-00-01 does not exist: months go from 01 to 12'],
    ['2024-13-01', '2024-13-01 does not exist: months go from 01 to 12'],
    ['2024-05-00', '2024-05-00 does not exist: May 2024 has 31 days'],
    ['2024-04-31', '2024-04-31 does not exist: April 2024 has 30 days'],
    ['2023-02-29', '2023-02-29 does not exist: February 2023 has 28 days'],
    ['1900-02-29', '1900-02-29 does not exist: February 1900 has 28 days'],
    ['2024-02-30', '2024-02-30 does not exist: February 2024 has 29 days'],
  ] as const) {
    it(`may not be ${JSON.stringify(date)}`, () => expect(parseDate(date)).to.deep.equal(E.left(wrong)))
  }

  it('exists if the calendar has it', () => {
    const exists = (text: string): boolean => {
      try {
        return Temporal.PlainDate.from(text).toString() === text
      } catch {
        return false
      }
    }
    const part = (max: number, digits: number): fc.Arbitrary<string> =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(digits, '0'))
    fc.assert(
      fc.property(part(9999, 4), part(14, 2), part(33, 2), (year, month, day) => {
        fc.pre(year !== '0000')
        const text = `${year}-${month}-${day}`
        expect(E.isRight(parseDate(text))).to.equal(exists(text))
      }),
      { numRuns: 1000 },
    )
  })
})
