/**
 * Names of zones, and the local times that a zone skips.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isZone, offsetAt, skippedAround, offsetDateTime, spanAt } from './naive-date-time.js'

const hour = 3_600_000

describe('the name of a zone', () => {
  for (const name of [
    'Europe/Vienna',
    'UTC',
    'GMT',
    'Etc/GMT+5',
    'Asia/Kathmandu',
    'Asia/Katmandu',
    'Asia/Calcutta',
    'America/Port-au-Prince',
    'America/Argentina/ComodRivadavia',
    'Africa/Dar_es_Salaam',
    'US/Eastern',
    'EST5EDT',
  ]) {
    it(`may be ${name}`, () => expect(isZone(name)).to.equal(true))
  }

  for (const name of [
    '',
    'Vienna',
    'Europe/Nowhere',
    'europe/vienna',
    'EUROPE/VIENNA',
    'utc',
    ' Europe/Vienna',
    'Europe/Vienna\n',
    '+01:00',
    '2024-05-17T00:00[Europe/Vienna]',
    'Europe/Vienna[u-ca=iso8601]',
    'SystemV/EST5',
    'Systemv/EST5',
    'PST',
    'constructor',
  ]) {
    it(`may not be ${JSON.stringify(name)}`, () => expect(isZone(name)).to.equal(false))
  }

  it('may be any that the runtime lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isZone(name))).to.deep.equal([])
  })

  it('makes functions throw if it is not a zone', () => {
    expect(() => offsetAt('Europe/Nowhere', 0)).to.throw(RangeError)
    expect(() => spanAt('Europe/Nowhere', 0)).to.throw(RangeError)
    expect(() => skippedAround('Europe/Nowhere', '2024-05-17T00:00:00')).to.throw(RangeError)
  })
})

describe('the local times that a zone skips', () => {
  for (const [zone, from, to] of [
    ['Europe/Vienna', '2024-03-31T02:00:00', '2024-03-31T03:00:00'],
    ['America/New_York', '2024-03-10T02:00:00', '2024-03-10T03:00:00'],
    ['Australia/Lord_Howe', '2024-10-06T02:00:00', '2024-10-06T02:30:00'],
    ['America/Sao_Paulo', '2018-11-04T00:00:00', '2018-11-04T01:00:00'],
    ['Asia/Kathmandu', '1986-01-01T00:00:00', '1986-01-01T00:15:00'],
    ['Pacific/Apia', '2011-12-30T00:00:00', '2011-12-31T00:00:00'],
  ] as const) {
    it(`${zone}: from ${from} to ${to}`, () => {
      const second = (text: string, more: number): string =>
        new Date(Date.parse(`${text}Z`) + more * 1000).toISOString().slice(0, 19)
      // Whichever span of the zone is cached.
      for (const days of [-400, -200, -3, -1, 0, 1, 3, 200, 400]) {
        spanAt(zone, Date.parse(`${from}Z`) + days * 24 * hour)
        expect(skippedAround(zone, second(from, -1))).to.equal(null)
        expect(skippedAround(zone, from)).to.deep.equal({ from, to })
        expect(skippedAround(zone, second(to, -1))).to.deep.equal({ from, to })
        expect(skippedAround(zone, to)).to.equal(null)
      }
    })
  }

  it('are empty if the clocks are put back', () => {
    expect(skippedAround('Europe/Vienna', '2024-10-27T02:30:00')).to.equal(null)
    expect(skippedAround('UTC', '2024-03-31T02:30:00')).to.equal(null)
  })
})

describe('the current offset', () => {
  it('changes in the millisecond of the transition, for calls in any order', () => {
    const spring = Date.parse('2024-03-31T01:00:00Z')
    const autumn = Date.parse('2024-10-27T01:00:00Z')
    const expected = new Map([
      [spring - 1, hour],
      [spring, 2 * hour],
      [autumn - 1, 2 * hour],
      [autumn, hour],
    ])
    for (const instants of [[...expected.keys()], [...expected.keys()].toReversed()]) {
      for (const instant of instants) {
        expect(spanAt('Europe/Vienna', instant).offset).to.equal(expected.get(instant))
        expect(offsetAt('Europe/Vienna', instant)).to.equal(expected.get(instant))
      }
    }
  })
})

describe('offsetDateTime', () => {
  it('has the offset of the zone at that time', () => {
    for (const [dateTime, zone, expected] of [
      ['2026-03-01T13:00:00', 'Europe/Vienna', '2026-03-01T13:00:00+01:00'],
      ['2026-07-01T13:00:00.25', 'Europe/Vienna', '2026-07-01T13:00:00+02:00'],
      ['2026-10-25T02:30:00', 'Europe/Vienna', '2026-10-25T02:30:00+02:00'],
      ['2026-10-25T02:59:59.999~2026-10-25T02:30:00', 'Europe/Vienna', '2026-10-25T02:30:00+01:00'],
      ['2026-07-01T00:00:00', 'America/St_Johns', '2026-07-01T00:00:00-02:30'],
      ['2026-07-01T00:00:00', 'UTC', '2026-07-01T00:00:00+00:00'],
      ['0001-01-01T00:00:00', 'Europe/Vienna', '0001-01-01T00:00:39+01:06'],
      ['9999-12-31T23:59:59', 'Europe/Vienna', '9999-12-31T23:59:59+01:00'],
    ] as const)
      expect(offsetDateTime(dateTime, zone)).to.equal(expected)
  })
})
