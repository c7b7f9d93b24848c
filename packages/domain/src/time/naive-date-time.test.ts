/**
 * Naive date-times by example: the results, the messages of rejected ones, and the days on which the
 * clocks change.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { E } from '../fp.js'
import { instantAt, nowIn, clockTimeIn, type NaiveDateTime } from './naive-date-time.js'
import {
  isNaiveDateTime,
  parseDateTime,
  parseInstant,
  parsePeriod,
  parseDate,
  parseDuration,
} from './parse-date-time.js'

const vienna = 'Europe/Vienna'
const read = (input: string, zone = vienna): string => {
  const result = parseDateTime(input, zone)
  return E.isRight(result) ? result.right : `refused: ${result.left}`
}
const naive = (text: string): NaiveDateTime => {
  if (!isNaiveDateTime(text)) throw new Error(`not canonical: ${text}`)
  return text
}

describe('a date-time', () => {
  for (const [input, zone, expected] of [
    ['2024-05-17T09:30:00', vienna, '2024-05-17T09:30:00'],
    ['2024-05-17 09:30:00', vienna, '2024-05-17T09:30:00'],
    ['2024-05-17T09:30', vienna, '2024-05-17T09:30:00'],
    ['2024-05-17', vienna, '2024-05-17T00:00:00'],
    ['2024-05-17T09:30:00.5', vienna, '2024-05-17T09:30:00.5'],
    ['2024-05-17T09:30:00.120', vienna, '2024-05-17T09:30:00.12'],
    ['2024-05-17T09:30:00.000', vienna, '2024-05-17T09:30:00'],
    ['2024-05-17T09:30:00.123456789', vienna, '2024-05-17T09:30:00.123456789'],
    ['2024-05-17T09:30Z', vienna, '2024-05-17T11:30:00'],
    ['2024-05-17 09:30:15.250Z', vienna, '2024-05-17T11:30:15.25'],
    ['2024-01-17T09:30Z', vienna, '2024-01-17T10:30:00'],
    ['2024-05-17T09:30+02:00', vienna, '2024-05-17T09:30:00'],
    ['2024-05-17T09:30+0530', vienna, '2024-05-17T06:00:00'],
    ['2024-05-17T09:30-08', vienna, '2024-05-17T19:30:00'],
    ['2024-05-17T23:30-00:00', vienna, '2024-05-18T01:30:00'],
    ['2024-05-17T00:00:00.000000001Z', 'America/New_York', '2024-05-16T20:00:00.000000001'],
    ['2024-05-17T00:00Z', 'Asia/Kathmandu', '2024-05-17T05:45:00'],
    ['1985-12-31T18:29:59Z', 'Asia/Kathmandu', '1985-12-31T23:59:59'],
    ['1985-12-31T18:30:00Z', 'Asia/Kathmandu', '1986-01-01T00:15:00'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29T23:59:59'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31T00:00:00'],
    ['2024-03-31T01:59:59', vienna, '2024-03-31T01:59:59'],
    ['2024-03-31T03:00:00', vienna, '2024-03-31T03:00:00'],
    ['2024-03-31T00:59:59Z', vienna, '2024-03-31T01:59:59'],
    ['2024-03-31T01:00:00Z', vienna, '2024-03-31T03:00:00'],
    ['2024-10-27T02:30', vienna, '2024-10-27T02:30:00'],
    ['2024-10-27T00:30Z', vienna, '2024-10-27T02:30:00'],
    ['2024-10-27T01:30Z', vienna, '2024-10-27T02:30:00'],
    ['2024-03-10T06:59:59Z', 'America/New_York', '2024-03-10T01:59:59'],
    ['2024-03-10T07:00:00Z', 'America/New_York', '2024-03-10T03:00:00'],
    ['2024-11-03T01:30', 'America/New_York', '2024-11-03T01:30:00'],
    ['2024-11-03T05:30Z', 'America/New_York', '2024-11-03T01:30:00'],
    ['2024-11-03T06:30Z', 'America/New_York', '2024-11-03T01:30:00'],
    ['0001-01-01', vienna, '0001-01-01T00:00:00'],
    ['9999-12-31T23:59:59.999999999', vienna, '9999-12-31T23:59:59.999999999'],
  ] as const) {
    it(`${input} in ${zone} is ${expected}`, () => expect(read(input, zone)).to.equal(expected))
  }

  const shape =
    'must be a date-time such as 2024-05-17T09:30:00, which may end in Z or an offset such as +02:00, or a date such as 2024-05-17'
  const put = 'the clocks were put forward from'
  for (const [input, zone, wrong] of [
    ['', vienna, shape],
    ['now', vienna, shape],
    ['2024-05-17t09:30', vienna, shape],
    ['2024-05-17T09:30z', vienna, shape],
    ['2024-05-17  09:30', vienna, shape],
    ['2024-05-17T09', vienna, shape],
    ['2024-05-17T9:30', vienna, shape],
    ['2024-05-17T0930', vienna, shape],
    ['20240517T093000', vienna, shape],
    ['2024-05-17T09:30:00,5', vienna, shape],
    ['2024-05-17T09:30:00.', vienna, shape],
    ['2024-05-17T09:30.5', vienna, shape],
    ['2024-05-17T09:30 Z', vienna, shape],
    ['2024-05-17T09:30+2', vienna, shape],
    ['2024-05-17T09:30+02:', vienna, shape],
    ['2024-05-17T09:30+02:00[Europe/Vienna]', vienna, shape],
    ['2024-05-17Z', vienna, shape],
    ['2024-05-17T09:30\n', vienna, shape],
    ['+002024-05-17T09:30', vienna, shape],
    ['2024-05-17T09:30 02:00', vienna, `${shape}; the + of an offset is written %2B in an address`],
    ['2024-02-30T09:30', vienna, '2024-02-30 does not exist: February 2024 has 29 days'],
    ['0000-12-31T23:00-05:00', vienna, '0000-12-31 does not exist: years go from 0001 to 9999'],
    ['0001-01-01T00:00+14:00', vienna, 'must be within the years 0001 to 9999'],
    ['9999-12-31T23:30Z', vienna, 'must be within the years 0001 to 9999'],
    [
      '2024-05-17T24:00',
      vienna,
      '24:00:00 does not exist: hours go from 00 to 23, the end of a day is 00:00 of the next',
    ],
    ['2024-05-17T25:00', vienna, '25:00:00 does not exist: hours go from 00 to 23'],
    ['2024-05-17T09:60', vienna, '09:60:00 does not exist: minutes go from 00 to 59'],
    ['2024-05-17T09:30:61', vienna, '09:30:61 does not exist: seconds go from 00 to 59'],
    [
      '2016-12-31T23:59:60Z',
      vienna,
      '23:59:60 does not exist: leap seconds are not counted, seconds go from 00 to 59',
    ],
    ['2024-05-17T09:30:00.1234567890', vienna, 'must have at most 9 decimals of a second'],
    ['2024-05-17T09:30+24:00', vienna, 'the offset +24:00 does not exist: offsets go from -23:59 to +23:59'],
    ['2024-05-17T09:30-0160', vienna, 'the offset -0160 does not exist: offsets go from -23:59 to +23:59'],
    [
      '2024-03-31T02:30',
      vienna,
      `2024-03-31T02:30:00 does not exist in Europe/Vienna: ${put} 2024-03-31T02:00:00 to 2024-03-31T03:00:00`,
    ],
    [
      '2024-03-10T02:00:00.5',
      'America/New_York',
      `2024-03-10T02:00:00 does not exist in America/New_York: ${put} 2024-03-10T02:00:00 to 2024-03-10T03:00:00`,
    ],
    [
      '2011-12-30T12:00',
      'Pacific/Apia',
      `2011-12-30T12:00:00 does not exist in Pacific/Apia: ${put} 2011-12-30T00:00:00 to 2011-12-31T00:00:00`,
    ],
    [
      '2018-11-04',
      'America/Sao_Paulo',
      `2018-11-04T00:00:00 does not exist in America/Sao_Paulo: ${put} 2018-11-04T00:00:00 to 2018-11-04T01:00:00`,
    ],
  ] as const) {
    it(`${JSON.stringify(input)} in ${zone} is rejected`, () =>
      expect(read(input, zone)).to.equal(`refused: ${wrong}`))
  }
})

describe('a period', () => {
  for (const [input, zone, from, to] of [
    ['_', vienna, null, null],
    ['2024-05-01_', vienna, '2024-05-01T00:00:00', null],
    ['_2024-06-01', vienna, null, '2024-06-01T00:00:00'],
    ['2024-05-01_2024-06-01', vienna, '2024-05-01T00:00:00', '2024-06-01T00:00:00'],
    ['2024-05-01 09:30_2024-05-01T12:00Z', vienna, '2024-05-01T09:30:00', '2024-05-01T14:00:00'],
    ['2024-06-01_2024-05-01', vienna, '2024-06-01T00:00:00', '2024-05-01T00:00:00'],
    // the day begins at 01:00, and midnight is the boundary before it all the same
    ['2018-11-04_', 'America/Sao_Paulo', '2018-11-04T00:00:00', null],
  ] as const) {
    it(`${input} in ${zone}`, () => expect(parsePeriod(input, zone)).to.deep.equal(E.right({ from, to })))
  }

  for (const [input, zone, wrong] of [
    ['', vienna, 'must be a period such as 2024-05-01_2024-06-01'],
    ['2024-05-01', vienna, 'must be a period such as'],
    ['2024-05-01_2024-06-01_', vienna, 'must be a period such as'],
    ['2024-05_2024-06-01', vienna, 'the start of the period: must be a date-time such as'],
    ['_2024-02-30', vienna, 'the end of the period: 2024-02-30 does not exist: February 2024 has 29 days'],
    [
      '2024-03-31T02:30_',
      vienna,
      'the start of the period: 2024-03-31T02:30:00 does not exist in Europe/Vienna',
    ],
    [
      '2011-12-30_',
      'Pacific/Apia',
      'the start of the period: 2011-12-30T00:00:00 does not exist in Pacific/Apia',
    ],
  ] as const) {
    it(`${JSON.stringify(input)} in ${zone} is rejected`, () => {
      const result = parsePeriod(input, zone)
      expect(E.isLeft(result) ? result.left : 'read').to.include(wrong)
    })
  }
})

describe('the time of the clock', () => {
  for (const [instant, zone, expected] of [
    ['2024-05-17T09:30:00.000Z', 'UTC', '2024-05-17T09:30:00'],
    ['2024-05-17T09:30:00.120Z', vienna, '2024-05-17T11:30:00.12'],
    ['2024-05-17T09:30:00.001Z', 'Asia/Kathmandu', '2024-05-17T15:15:00.001'],
    ['2024-03-31T00:59:59.999Z', vienna, '2024-03-31T01:59:59.999'],
    ['2024-03-31T01:00:00.000Z', vienna, '2024-03-31T03:00:00'],
    ['2024-10-27T00:59:59.999Z', vienna, '2024-10-27T02:59:59.999'],
    ['2024-10-27T01:00:00.000Z', vienna, '2024-10-27T02:00:00'],
    ['2024-03-10T07:00:00.000Z', 'America/New_York', '2024-03-10T03:00:00'],
    ['2024-11-03T06:00:00.000Z', 'America/New_York', '2024-11-03T01:00:00'],
    ['2011-12-30T10:00:00.000Z', 'Pacific/Apia', '2011-12-31T00:00:00'],
  ] as const) {
    it(`${instant} in ${zone} is ${expected}`, () =>
      expect(nowIn(zone, Date.parse(instant))).to.equal(expected))
  }

  it('is within the years 0001 to 9999', () => {
    expect(() => nowIn('UTC', Date.parse('+010000-01-01T00:00:00Z'))).to.throw(RangeError)
    expect(() => nowIn('UTC', Number.NaN)).to.throw(RangeError)
  })
})

describe('the moment of the clock', () => {
  for (const [instant, zone, expected] of [
    ['2024-10-27T00:59:59Z', vienna, '2024-10-27T02:59:59'],
    ['2024-10-27T00:59:59.999Z', vienna, '2024-10-27T02:59:59.999'],
    ['2024-10-27T01:00:00Z', vienna, '2024-10-27T02:59:59.999~2024-10-27T02:00:00'],
    ['2024-10-27T01:30:00Z', vienna, '2024-10-27T02:59:59.999~2024-10-27T02:30:00'],
    ['2024-10-27T01:59:59.999Z', vienna, '2024-10-27T02:59:59.999~2024-10-27T02:59:59.999'],
    ['2024-10-27T02:00:00Z', vienna, '2024-10-27T03:00:00'],
    ['2024-03-31T00:59:59Z', vienna, '2024-03-31T01:59:59'],
    ['2024-03-31T01:00:00Z', vienna, '2024-03-31T03:00:00'],
    ['2024-04-06T15:15:00Z', 'Australia/Lord_Howe', '2024-04-07T01:59:59.999~2024-04-07T01:45:00'],
    ['2024-04-06T15:30:00Z', 'Australia/Lord_Howe', '2024-04-07T02:00:00'],
    ['2024-05-17T07:30:00Z', 'UTC', '2024-05-17T07:30:00'],
  ] as const)
    it(`${instant} in ${zone} is ${expected}`, () =>
      expect(clockTimeIn(zone, Date.parse(instant))).to.equal(expected))

  it('never decreases', () => {
    const night = Date.parse('2024-10-26T22:00:00Z')
    const times = Array.from({ length: 60 }, (_, step) => clockTimeIn(vienna, night + step * 300_000))
    expect(times).to.deep.equal(times.toSorted())
  })
})

describe('the instant of a date-time', () => {
  for (const [dateTime, zone, expected] of [
    ['2024-05-17T09:30:00', 'UTC', '2024-05-17T09:30:00.000Z'],
    ['2024-05-17T11:30:00.1209', vienna, '2024-05-17T09:30:00.120Z'],
    ['2024-10-27T02:30:00', vienna, '2024-10-27T00:30:00.000Z'],
    ['2024-11-03T01:30:00', 'America/New_York', '2024-11-03T05:30:00.000Z'],
    ['2024-03-31T02:30:00', vienna, '2024-03-31T01:30:00.000Z'],
    ['2011-12-31T00:00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ] as const) {
    it(`${dateTime} in ${zone} is ${expected}`, () =>
      expect(new Date(instantAt(zone, naive(dateTime))).toISOString()).to.equal(expected))
  }
})

describe('the instant that a text names', () => {
  for (const [text, zone, expected] of [
    ['2024-05-17T11:30', vienna, '2024-05-17T09:30:00.000Z'],
    ['2024-05-17', vienna, '2024-05-16T22:00:00.000Z'],
    ['2024-05-17T11:30+05:30', vienna, '2024-05-17T06:00:00.000Z'],
    ['2024-10-27T02:30+01:00', vienna, '2024-10-27T01:30:00.000Z'],
    ['2024-05-17 11:30:00.5Z', null, '2024-05-17T11:30:00.500Z'],
  ] as const)
    it(`is ${expected} for ${text} in ${zone ?? 'no zone'}`, () =>
      expect(parseInstant(text, zone)).to.deep.equal(E.right(Date.parse(expected))))

  for (const [text, zone] of [
    ['2024-05-17T11:30', null],
    ['2024-05-17', null],
    ['2024-03-31T02:30', vienna],
    ['2024-02-30T11:30Z', null],
    ['yesterday', vienna],
  ] as const)
    it(`is none for ${text} in ${zone ?? 'no zone'}`, () =>
      expect(E.isLeft(parseInstant(text, zone))).to.equal(true))
})

describe('a canonical date-time', () => {
  for (const text of ['2024-05-17T09:30:00', '0001-01-01T00:00:00', '2024-05-17T23:59:59.000000001']) {
    it(`is ${text}`, () => expect(isNaiveDateTime(text)).to.equal(true))
  }
  for (const text of [
    '2024-05-17',
    '2024-05-17 09:30:00',
    '2024-05-17T09:30',
    '2024-05-17T09:30:00Z',
    '2024-05-17T09:30:00.0',
    '2024-05-17T09:30:00.10',
    '2024-05-17T09:30:00.0000000001',
    '2024-05-17T24:00:00',
    '2024-05-17T09:30:60',
    '2024-02-30T09:30:00',
    '0000-01-01T00:00:00',
  ]) {
    it(`is not ${text}`, () => expect(isNaiveDateTime(text)).to.equal(false))
  }
})

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
