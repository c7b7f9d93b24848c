import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { clockTimeIn, type NaiveDateTime, nowIn } from '../time/naive-date-time.js'
import { isActiveListing, isWithin, spansAt, spansOf } from './listing-attributes.js'

// Windows of listings: to the second, and never active again once they have ended, also when clocks are set back.

const at = (text: string): NaiveDateTime => text as NaiveDateTime

const listing = (listing_start: string | null, listing_expires: string | null) => ({
  is_listing: true,
  listing_start,
  listing_expires,
})

describe('a window', () => {
  it('includes its start and excludes its end, exactly', () => {
    const within = (now: string) => isWithin(at(now), '2026-03-01T13:00:00', '2026-03-02T08:30:00')
    expect(within('2026-03-01T12:59:59')).to.equal(false)
    expect(within('2026-03-01T12:59:59.999999999')).to.equal(false)
    expect(within('2026-03-01T13:00:00')).to.equal(true)
    expect(within('2026-03-02T08:29:59.999')).to.equal(true)
    expect(within('2026-03-02T08:30:00')).to.equal(false)
    expect(within('2026-03-02T08:30:00.001')).to.equal(false)
  })

  it('has no limit on an absent side', () => {
    for (const now of ['0001-01-01T00:00:00', '9999-12-31T23:59:59.999999999'])
      for (const absent of [null, undefined]) expect(isWithin(at(now), absent, absent)).to.equal(true)
    expect(isWithin(at('2026-03-01T13:00:00'), null, '2026-03-01T13:00:00')).to.equal(false)
    expect(isWithin(at('2026-03-01T13:00:00'), '2026-03-01T13:00:00', null)).to.equal(true)
  })

  it('applies only to listings', () => {
    const now = at('2026-03-01T13:00:00')
    expect(isActiveListing(listing(null, null), now)).to.equal(true)
    for (const is_listing of [false, null])
      expect(isActiveListing({ ...listing(null, null), is_listing }, now)).to.equal(false)
    expect(isActiveListing({}, now)).to.equal(false)
  })
})

type Row = readonly [instant: string, active: boolean]

const days: readonly {
  readonly zone: string
  readonly day: string
  readonly start: string | null
  readonly expires: string | null
  readonly rows: readonly Row[]
}[] = [
  {
    zone: 'Europe/Vienna',
    day: 'put forward from 02:00 to 03:00: a start within the hour that is left out',
    start: '2026-03-29T02:30:00',
    expires: '2026-03-29T03:00:01',
    rows: [
      ['2026-03-29T00:59:59.999Z', false],
      ['2026-03-29T01:00:00Z', true],
      ['2026-03-29T01:00:00.999Z', true],
      ['2026-03-29T01:00:01Z', false],
    ],
  },
  {
    zone: 'Europe/Vienna',
    day: 'put back from 03:00 to 02:00: an end within the hour that comes twice',
    start: '2026-10-25T01:30:00',
    expires: '2026-10-25T02:30:00',
    rows: [
      ['2026-10-24T23:29:59Z', false],
      ['2026-10-24T23:30:00Z', true],
      ['2026-10-25T00:29:59.999Z', true],
      ['2026-10-25T00:30:00Z', false],
      ['2026-10-25T01:00:00Z', false],
      ['2026-10-25T01:29:59Z', false],
      ['2026-10-25T02:00:00Z', false],
    ],
  },
  {
    zone: 'Europe/Vienna',
    day: 'put back from 03:00 to 02:00: a start within the hour that comes twice',
    start: '2026-10-25T02:30:00',
    expires: '2026-10-25T03:00:00',
    rows: [
      ['2026-10-25T00:29:59Z', false],
      ['2026-10-25T00:30:00Z', true],
      ['2026-10-25T01:00:00Z', true],
      ['2026-10-25T01:29:59Z', true],
      ['2026-10-25T01:59:59.999Z', true],
      ['2026-10-25T02:00:00Z', false],
    ],
  },
  {
    zone: 'Australia/Lord_Howe',
    day: 'put forward by half an hour, from 02:00 to 02:30',
    start: '2026-10-04T02:15:00',
    expires: '2026-10-04T02:30:01',
    rows: [
      ['2026-10-03T15:29:59.999Z', false],
      ['2026-10-03T15:30:00Z', true],
      ['2026-10-03T15:30:00.999Z', true],
      ['2026-10-03T15:30:01Z', false],
    ],
  },
  {
    zone: 'Australia/Lord_Howe',
    day: 'put back by half an hour, from 02:00 to 01:30',
    start: '2026-04-05T01:30:00',
    expires: '2026-04-05T01:45:00',
    rows: [
      ['2026-04-04T14:29:59Z', false],
      ['2026-04-04T14:30:00Z', true],
      ['2026-04-04T14:44:59Z', true],
      ['2026-04-04T14:45:00Z', false],
      ['2026-04-04T15:00:00Z', false],
      ['2026-04-04T15:14:59Z', false],
      ['2026-04-04T15:30:00Z', false],
    ],
  },
]

describe('a listing on a day on which the clocks are changed', () => {
  for (const { zone, day, start, expires, rows } of days)
    it(`${zone}, ${day}`, () => {
      for (const [instant, active] of rows)
        expect(
          isActiveListing(listing(start, expires), clockTimeIn(zone, Date.parse(instant))),
          instant,
        ).to.equal(active)
    })

  const changes = [
    ['Europe/Vienna', '2026-03-29T01:00:00Z'],
    ['Europe/Vienna', '2026-10-25T01:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ] as const

  it('is active for one continuous time', () => {
    const minutes = fc.integer({ min: -180, max: 180 })
    const instants = fc.array(fc.integer({ min: -7_200_000, max: 7_200_000 }), {
      minLength: 3,
      maxLength: 30,
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        minutes,
        minutes,
        instants,
        ([zone, change], from, to, offsets) => {
          const moment = Date.parse(change)
          const window = [from, to].map((each) =>
            new Date(moment + (each + (zone === 'Europe/Vienna' ? 90 : 660)) * 60_000)
              .toISOString()
              .slice(0, 19),
          )
          const [start = null, expires = null] = window.toSorted()
          const seen = offsets
            .toSorted((a, b) => a - b)
            .map((offset) => isActiveListing(listing(start, expires), clockTimeIn(zone, moment + offset)))
          const turns = seen.filter((each, index) => index > 0 && each !== seen[index - 1]).length
          expect(turns).to.be.at.most(seen[0] === true ? 1 : 2)
        },
      ),
      { numRuns: 300 },
    )
  })
})

// A window and a moment within it have a span in common; long before it and after it they have none.

const day = 86_400_000
const moment = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9000, 0, 1) })
const naive = (epoch: number) => nowIn('UTC', epoch)
const haveCommon = (window: readonly string[], now: readonly string[]): boolean =>
  window.some((span) => now.includes(span))

describe('the spans of a window', () => {
  it('are one or two, and include a span of every time within the window', () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 400 * day }), fc.integer({ min: 1, max: 70_000 * day }))
    fc.assert(
      fc.property(moment, length, fc.double({ min: 0, max: 1, noNaN: true }), (start, duration, share) => {
        const [from, to] = [naive(start), naive(start + duration)]
        const spans = spansOf(from, to)
        const now = naive(Math.floor(start + share * (duration - 1)))
        expect(spans).to.have.length.within(1, 2)
        expect(isWithin(now, from, to)).to.equal(true)
        expect(haveCommon(spans, spansAt(now))).to.equal(true)
      }),
    )
  })

  it('do not include a span of times long before or after the window', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: day, max: 32_000 * day }), (start, duration) => {
        const spans = spansOf(naive(start), naive(start + duration))
        for (const now of [start - 9 * duration - 9 * day, start + 10 * duration + 9 * day])
          expect(haveCommon(spans, spansAt(naive(now)))).to.equal(false)
      }),
    )
  })

  it('match every time if a side has no limit or the window is very long', () => {
    for (const [start, end] of [
      [null, '2026-01-01T00:00:00'],
      ['2026-01-01T00:00:00', null],
      [null, null],
      ['0001-01-01T00:00:00', '9999-12-31T23:59:59'],
    ] as const)
      expect(spansOf(start, end)).to.deep.equal(['always'])
    expect(spansAt(naive(0)))
      .to.include('always')
      .and.to.have.lengthOf(7)
  })

  it('do not depend on the days between', () => {
    expect(spansOf('1970-01-01T10:00:00', '1970-01-01T12:00:00')).to.deep.equal(['1:0'])
    expect(spansOf('1970-01-02T00:00:00', '1970-01-03T00:00:00')).to.deep.equal(['8:0'])
    expect(spansOf('1969-12-31T00:00:00', '1970-01-01T00:00:00')).to.deep.equal(['8:-1', '8:0'])
  })
})
