import { expect } from 'chai'
import { describe, it } from 'mocha'
import { listedOccurrences } from '../content/attributes/type-attributes.js'
import { expandOccurrences, neverDue, type EventTimes } from './occurrences.js'
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

const startsOf = (...parameters: Parameters<typeof expand>): readonly string[] =>
  expand(...parameters).occurrences.map((period) => period.slice(0, period.indexOf(' ')))

describe('Occurrences of an event (docs/behaviour/content.md#occurrences)', () => {
  it('are one period without a rule', () => {
    expect(expand({ dtend: '2026-03-28T01:00:00' })).to.deep.include({
      occurrences: ['2026-03-27T10:00:00 2026-03-28T01:00:00'],
      due: neverDue,
    })
  })

  it('have the same local start and end when clocks change', () => {
    const times = { dtend: '2026-03-27T12:30:00', rrule: ruleOf({ freq: 'DAILY', count: 4 }) }
    expect(expand(times, { zone: 'Europe/Vienna' }).occurrences).to.deep.equal([
      '2026-03-27T10:00:00 2026-03-27T12:30:00',
      '2026-03-28T10:00:00 2026-03-28T12:30:00',
      '2026-03-29T10:00:00 2026-03-29T12:30:00',
      '2026-03-30T10:00:00 2026-03-30T12:30:00',
    ])
  })

  it('include the day of until, and leave out and add whole days', () => {
    const concert = { dtstart: '2026-03-20T19:00:00' }
    const weekly = ruleOf({ freq: 'WEEKLY', until: '2026-04-03' })
    expect(startsOf({ ...concert, rrule: weekly })).to.deep.equal([
      '2026-03-20T19:00:00',
      '2026-03-27T19:00:00',
      '2026-04-03T19:00:00',
    ])
    const twice = ruleOf({ freq: 'WEEKLY', until: '2026-04-03', byhour: [15, 19] })
    expect(
      startsOf({ ...concert, rrule: twice, exdates: ['2026-03-27'], rdates: ['2026-03-30'] }),
    ).to.deep.equal([
      '2026-03-20T19:00:00',
      '2026-03-30T19:00:00',
      '2026-04-03T15:00:00',
      '2026-04-03T19:00:00',
    ])
    const skipped = { dtstart: '2026-03-28T02:30:00', rdates: ['2026-03-29', '2026-03-30'] }
    expect(startsOf(skipped, { zone: 'Europe/Vienna' })).to.deep.equal([
      '2026-03-28T02:30:00',
      '2026-03-30T02:30:00',
    ])
  })

  it('leave out local times that the zone skips', () => {
    const times = {
      dtstart: '2026-03-28T02:30:00',
      rrule: ruleOf({ freq: 'DAILY', until: '2026-03-31T00:00:00' }),
    }
    expect(startsOf(times, { zone: 'Europe/Vienna' })).to.deep.equal([
      '2026-03-28T02:30:00',
      '2026-03-30T02:30:00',
    ])
  })

  it('have the same local time where the zone skips dtstart, except for the first one', () => {
    const times = { dtstart: '2026-03-29T02:30:00', rrule: ruleOf({ freq: 'DAILY', count: 3 }) }
    const vienna = { zone: 'Europe/Vienna' }
    const following = ['2026-03-30T02:30:00', '2026-03-31T02:30:00']
    expect(startsOf(times, vienna)).to.deep.equal(['2026-03-29T03:30:00', ...following])
    expect(startsOf({ ...times, exdates: ['2026-03-29T02:30:00'] }, vienna)).to.deep.equal(following)
    const weekly = { ...times, rrule: ruleOf({ freq: 'WEEKLY', byhour: [], until: '2026-04-06' }) }
    expect(startsOf(weekly, vienna)).to.deep.equal(['2026-03-29T03:30:00', '2026-04-05T02:30:00'])
  })

  it('are those around the expansion also of a rule with a large count', () => {
    const now = '2026-06-01T00:00:00'
    const { past, future } = listedOccurrences
    const daily = { dtstart: '2020-01-01T10:00:00', rrule: ruleOf({ freq: 'DAILY', count: 100_000 }) }
    const { occurrences, due } = expand(daily, { now })
    expect(occurrences).to.have.length(past + future)
    expect(occurrences[past]).to.match(/^2026-06-01T10:00:00/)
    expect(due).to.equal('2026-06-10T10:00:00')
  })

  it('end with the count, or after a hundred years', () => {
    const starts = startsOf(
      { dtstart: '2022-01-01T10:00:00', rrule: ruleOf({ freq: 'DAILY', count: 2000 }) },
      { now: '2026-06-01T00:00:00' },
    )
    const { past } = listedOccurrences
    expect(starts[past]).to.equal('2026-06-01T10:00:00')
    // The 2000th day.
    expect(starts.at(-1)).to.equal('2027-06-23T10:00:00')
    const yearly = startsOf({ dtstart: '2100-01-01T10:00:00', rrule: ruleOf({ freq: 'YEARLY', count: 200 }) })
    expect(yearly).to.have.length(100)
    expect(yearly.at(-1)).to.equal('2199-01-01T10:00:00')
  })

  it('follow intervals, parts with by, until and count', () => {
    expect(startsOf({ rrule: ruleOf({ freq: 'MONTHLY', byday: ['-1FR'], count: 3 }) })).to.deep.equal([
      '2026-03-27T10:00:00',
      '2026-04-24T10:00:00',
      '2026-05-29T10:00:00',
    ])
    const fortnightly = ruleOf({
      freq: 'WEEKLY',
      interval: 2,
      byday: ['FR', 'SU'],
      until: '2026-04-12T10:00:00',
    })
    expect(startsOf({ rrule: fortnightly })).to.deep.equal([
      '2026-03-27T10:00:00',
      '2026-03-29T10:00:00',
      '2026-04-10T10:00:00',
      '2026-04-12T10:00:00',
    ])
  })

  it('include dtstart where it does not match the rule, and further starts; leave out excluded starts', () => {
    const times = {
      rrule: ruleOf({ freq: 'WEEKLY', byday: ['MO'], until: '2026-04-14T00:00:00' }),
      rdates: ['2026-04-01T18:00:00', '2026-03-30T10:00:00'],
      exdates: ['2026-04-06T10:00:00'],
    }
    expect(startsOf(times)).to.deep.equal([
      '2026-03-27T10:00:00',
      '2026-03-30T10:00:00',
      '2026-04-01T18:00:00',
      '2026-04-13T10:00:00',
    ])
  })

  it('end three years after the expansion, and are renewed after half a year', () => {
    const { occurrences, due } = expand({ rrule: ruleOf({ freq: 'YEARLY' }) })
    expect(occurrences).to.have.length(3)
    expect(due).to.equal('2026-07-01T00:00:00')
    expect(expand({ rrule: ruleOf({ freq: 'YEARLY', until: '2027-01-01T00:00:00' }) }).due).to.equal(neverDue)
  })

  it('include dtstart where it is after the horizon', () => {
    expect(startsOf({ dtstart: '2036-01-01T10:00:00', rrule: ruleOf({ freq: 'DAILY' }) })).to.deep.equal([
      '2036-01-01T10:00:00',
    ])
  })

  it('are the last 250 before the expansion and the first 750 after it', () => {
    const now = '2026-06-01T00:00:00'
    const { occurrences, due } = expand(
      { dtstart: '1990-01-01T08:00:00', rrule: ruleOf({ freq: 'DAILY' }) },
      { now, zone: 'Europe/Vienna' },
    )
    const { past, future } = listedOccurrences
    expect(occurrences).to.have.length(past + future)
    expect(occurrences[past - 1]).to.match(/^2026-05-31T08:00:00/)
    expect(occurrences[past]).to.match(/^2026-06-01T08:00:00/)
    expect(due).to.equal('2026-06-10T08:00:00')
  })

  it('are searched in steps that each find few of them', () => {
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
    const all = { byhour: numbers(24), byminute: numbers(60) }
    for (const rule of [
      { freq: 'DAILY', count: 2000 },
      { freq: 'DAILY', ...all },
      { freq: 'YEARLY', ...all },
    ]) {
      const times = eventOf({ dtstart: '2026-01-01T00:00:00', rrule: ruleOf(rule) })
      const steps = [...expandOccurrences(times, 'UTC', '2026-02-01T00:00:00')]
      expect(steps.length, JSON.stringify(rule)).to.be.above(15)
      const [past, future] = ['2026-01-01T23:59:00', '2027-01-01T00:00:00']
      if (rule.freq === 'YEARLY')
        expect(startsOf(times, { now: '2026-02-01T00:00:00' })).to.include.members([past, future])
    }
  })

  it('are at most a thousand in their order for every rule', () => {
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
    for (const rule of [
      { freq: 'SECONDLY' },
      { freq: 'SECONDLY', bymonth: [2], bymonthday: [29] },
      { freq: 'WEEKLY', byhour: numbers(24), byminute: numbers(60) },
      { freq: 'HOURLY', interval: 10_000 },
    ]) {
      const times = { dtstart: '1990-01-01T00:00:00', rrule: ruleOf(rule) }
      const starts = startsOf(times, { now: '2026-06-01T12:00:00', zone: 'Europe/Vienna' })
      expect(starts.length, JSON.stringify(rule)).to.be.within(1, 1000)
      expect(starts).to.deep.equal([...new Set(starts)].toSorted())
    }
  })

  it('list each start once in hours that are repeated', () => {
    const times = {
      dtstart: '2026-10-25T01:00:00',
      rrule: ruleOf({ freq: 'HOURLY', until: '2026-10-25T04:00:00' }),
    }
    expect(startsOf(times, { zone: 'Europe/Vienna' })).to.deep.equal([
      '2026-10-25T01:00:00',
      '2026-10-25T02:00:00',
      '2026-10-25T03:00:00',
      '2026-10-25T04:00:00',
    ])
  })
})
