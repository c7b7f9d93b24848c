/**
 * Properties of all date-times: reading is idempotent, agrees with the clock and with Temporal, and sorts as text.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { Temporal } from 'temporal-polyfill'
import { E } from '../fp.js'
import { instantAt, nowIn, type NaiveDateTime } from './naive-date-time.js'
import { isNaiveDateTime, parseDateTime, parsePeriod } from './parse-date-time.js'

const zones = fc.constantFrom(
  'UTC',
  'Europe/Vienna',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
)

const between = (first: string, last: string): fc.Arbitrary<number> =>
  fc.integer({ min: Date.parse(first), max: Date.parse(last) })
const transitions = [
  '2024-03-31T01:00:00Z',
  '2024-10-27T01:00:00Z',
  '2024-03-10T07:00:00Z',
  '2024-11-03T06:00:00Z',
  '2011-12-30T10:00:00Z',
  '1985-12-31T18:30:00Z',
  '2018-11-04T03:00:00Z',
  '2024-10-05T15:30:00Z',
]
const nearTransitions = fc
  .tuple(fc.constantFrom(...transitions), fc.integer({ min: -7_200_000, max: 7_200_000 }))
  .map(([transition, distance]) => Date.parse(transition) + distance)
const instants = fc.oneof(
  between('0001-01-02T00:00:00Z', '9999-12-30T00:00:00Z'),
  between('1970-01-01T00:00:00Z', '2040-01-01T00:00:00Z'),
  nearTransitions,
)

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')
const fractions = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 999_999_999 }).map((value) => `.${padded(value, 9)}`.replace(/0+$/, '')),
  fc.integer({ min: 1, max: 9 }).map((value) => `.${value}`),
)
const naives: fc.Arbitrary<NaiveDateTime> = fc
  .tuple(
    fc.oneof(
      between('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
      between('2024-05-17T00:00:00Z', '2024-05-17T00:00:02Z'),
    ),
    fractions,
  )
  .map(([instant, fraction]) => `${new Date(instant).toISOString().slice(0, 19)}${fraction}`)
  .filter(isNaiveDateTime)

const right = <A>(result: E.Either<string, A>): A => {
  if (E.isLeft(result)) throw new Error(result.left)
  return result.right
}

describe('date-times', () => {
  it('are parsed or rejected with a message, for any text', () => {
    const pieces = fc.constantFrom(
      ...'2024 0000 9999 -02 -30 -12 T09 T24 :00 :60 :30 .5 .000 Z + - +01 +24:00 -0530 _ x'.split(' '),
      ' ',
      '\n',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, zones, (text, zone) => {
        const result = parseDateTime(text, zone)
        if (E.isRight(result)) expect(isNaiveDateTime(result.right)).to.equal(true)
        else expect(result.left).to.match(/^(?:must|the offset|\d)/)
        expect(E.isRight(parsePeriod(`${text}_`, zone)) && !text.includes('_')).to.equal(
          (E.isRight(result) || text === '') && !text.includes('_'),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('of the clock are parsed to themselves', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const now = nowIn(zone, instant)
        expect(isNaiveDateTime(now)).to.equal(true)
        expect(parseDateTime(now, zone)).to.deep.equal(E.right(now))
      }),
      { numRuns: 250 },
    )
  })

  it('of the clock agree with Temporal, also if the clock jumps', () => {
    fc.assert(
      fc.property(fc.array(instants, { minLength: 2 }), zones, (jumps, zone) => {
        for (const instant of jumps) {
          const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
          expect(nowIn(zone, instant)).to.equal(moment.toPlainDateTime().toString())
        }
      }),
      { numRuns: 100 },
    )
  })

  it('have an instant, the earlier if there are two', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const now = nowIn(zone, instant)
        const found = instantAt(zone, now)
        expect(found).to.be.at.most(instant)
        expect(nowIn(zone, found)).to.equal(now)
      }),
      { numRuns: 250 },
    )
  })

  it('with an offset are the time of the clock at that instant', () => {
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
    const written = fc.constantFrom(
      (sign: string, hours: string, rest: string) => `${sign}${hours}:${rest}`,
      (sign: string, hours: string, rest: string) => `${sign}${hours}${rest}`,
    )
    fc.assert(
      fc.property(
        between('1900-01-01T00:00:00Z', '2100-01-01T00:00:00Z'),
        minutes,
        written,
        zones,
        (instant, offset, write, zone) => {
          const local = new Date(instant + offset * 60_000).toISOString().slice(0, 23)
          const distance = Math.abs(offset)
          const suffix = write(
            offset < 0 ? '-' : '+',
            padded(Math.floor(distance / 60), 2),
            padded(distance % 60, 2),
          )
          expect(parseDateTime(`${local}${suffix}`, zone)).to.deep.equal(E.right(nowIn(zone, instant)))
        },
      ),
      { numRuns: 250 },
    )
  })

  it('are equal with a space, and with zeros at the end of the fraction', () => {
    fc.assert(
      fc.property(naives, fc.nat(3), (dateTime, zeros) => {
        const [, fraction = ''] = dateTime.split('.')
        const digits = `${fraction}${'0'.repeat(zeros)}`.slice(0, 9)
        const longer = `${dateTime.slice(0, 10)} ${dateTime.slice(11, 19)}${digits === '' ? '' : `.${digits}`}`
        expect(right(parseDateTime(longer, 'UTC'))).to.equal(dateTime)
      }),
    )
  })

  it('sort as plain texts in the order of time', () => {
    fc.assert(
      fc.property(naives, naives, (a, b) => {
        const inTime = [a, b].toSorted((one, other) => Temporal.PlainDateTime.compare(one, other))
        expect([a, b].toSorted()).to.deep.equal(inTime)
      }),
      { numRuns: 500 },
    )
  })
})
