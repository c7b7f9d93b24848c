import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expandOccurrences, type EventTimes } from './occurrences.js'
import { recurrenceRule } from './recurrence-rule.js'
import { valueContext } from '../testing/index.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'

const ruleOf = (parts: JsonObject): EventTimes['rrule'] => {
  const decoded = recurrenceRule.decode(parts, valueContext)
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left))
  return decoded.right
}

const eventOf = (times: Partial<EventTimes>): EventTimes => ({
  dtstart: '2026-03-27T10:00:00',
  dtend: null,
  rrule: null,
  rdates: [],
  exdates: [],
  ...times,
})

const expand = (times: Partial<EventTimes>, { zone = 'UTC', now = '2026-01-01T00:00:00' } = {}) => {
  const steps = expandOccurrences(eventOf(times), zone, now)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

describe('Occurrences of an event (docs/behaviour/content.md#occurrences)', () => {
  it('are found in bounded steps for every rule', () => {
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
    const all = { byhour: numbers(24), byminute: numbers(60) }
    const rules = [
      { freq: 'DAILY', count: 200, bymonth: [2], bymonthday: [29] },
      { freq: 'DAILY', count: 700, byday: ['MO'] },
      { freq: 'SECONDLY' },
      { freq: 'SECONDLY', bymonth: [2], bymonthday: [29] },
      { freq: 'WEEKLY', ...all },
      { freq: 'YEARLY', ...all },
      { freq: 'MONTHLY', ...all, byday: ['MO', 'TU', 'WE'], bysetpos: [-1, 200] },
      { freq: 'YEARLY', byday: ['MO', 'TU', 'WE', 'TH', 'FR'], bysetpos: [-1, 200] },
      { freq: 'HOURLY', interval: 10_000 },
      { freq: 'DAILY', count: 100_000 },
    ]
    for (const rule of rules) {
      const { occurrences } = expand(
        { dtstart: '1990-01-01T00:00:00', rrule: ruleOf(rule) },
        { now: '2026-06-01T12:00:00', zone: 'Europe/Vienna' },
      )
      expect(occurrences.length, JSON.stringify(rule)).to.be.within(1, 1000)
      const starts = occurrences.map((period) => period.slice(0, 19))
      expect(starts).to.deep.equal([...new Set(starts)].toSorted())
    }
  })
})
