import { expect } from 'chai'
import { describe, it } from 'mocha'
import { offsetDateTime } from './offset-date-time.js'

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
