/** Rules of recurrence as a whole: parts that make sense together, and at least one start (RFC 5545, 3.3.10). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { RRuleTemporal } from 'rrule-temporal'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { jsonOf } from '../testing/arbitraries.js'
import { command, later, messages, now, valueContext, write } from '../testing/index.js'
import { content } from '../content/content.js'
import { libraryOptions, frequencies, recurrenceRule, type RecurrenceRule } from './recurrence-rule.js'
import { recurrenceFaults } from './recurrence-faults.js'

const dtstart = '2026-03-01T13:00:00'

const minutes = Array.from({ length: 60 }, (_, minute) => minute)

const ruleOf = (input: unknown): RecurrenceRule => {
  const result = recurrenceRule.decode(input, valueContext)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const faultsOf = (input: JsonObject, start = dtstart): Readonly<Record<string, string>> =>
  messages(recurrenceFaults(ruleOf(input), start))

describe('a recurrence', () => {
  for (const [what, rule] of Object.entries({
    'every day': { freq: 'DAILY' },
    'every other week, on three days, until a day': {
      freq: 'WEEKLY',
      interval: 2,
      wkst: 'SU',
      byday: ['MO', 'WE', 'FR'],
      until: '2026-12-31',
    },
    'ten times on Friday the 13th': { freq: 'MONTHLY', byday: ['FR'], bymonthday: [13], count: 10 },
    'the last workday of a month': { freq: 'MONTHLY', byday: ['MO', 'TU', 'WE', 'TH', 'FR'], bysetpos: [-1] },
    'the first and the last Sunday': { freq: 'MONTHLY', byday: ['1SU', '-1SU'] },
    Thanksgiving: { freq: 'YEARLY', bymonth: [11], byday: ['4TH'] },
    'the 53rd Monday': { freq: 'YEARLY', byday: ['53MO'] },
    'Monday of the 20th week': { freq: 'YEARLY', byweekno: [20], byday: ['MO'] },
    'the 100th day': { freq: 'YEARLY', byyearday: [100] },
    'the last day of the year, in its last week': { freq: 'YEARLY', byyearday: [-1], byweekno: [-1] },
    'the last day of a leap year': { freq: 'YEARLY', byyearday: [366] },
    'each 29th of February, by days': { freq: 'DAILY', bymonth: [2], bymonthday: [29] },
    'a Monday that is the 29th of February': {
      freq: 'YEARLY',
      bymonth: [2],
      bymonthday: [29],
      byday: ['MO'],
    },
    'every 20 minutes of some hours': { freq: 'DAILY', byhour: [9, 10, 11], byminute: [0, 20, 40] },
    'a leap second, which is not supported': { freq: 'MINUTELY', bysecond: [60] },
    'empty lists': { freq: 'DAILY', byday: [], byweekno: [], bysetpos: [], byyearday: [] },
    'the last minute of its hours': {
      freq: 'DAILY',
      byhour: [9, 10],
      byminute: minutes,
      bysetpos: [120, -300],
    },
    'the 61st of the minutes, on one of two days': {
      freq: 'WEEKLY',
      byday: ['MO', 'TU'],
      byminute: minutes,
      bysetpos: [61],
    },
    'Friday, over on Friday behind its hour': {
      freq: 'DAILY',
      byday: ['FR'],
      byhour: [9],
      until: '2026-03-06T09:00:00',
    },
    'once, at its start': { freq: 'YEARLY', until: dtstart },
    'every ten thousand years': { freq: 'YEARLY', interval: 10_000 },
  }))
    it(`may be ${what}`, () => expect(faultsOf(rule)).to.deep.equal({}))

  it('may occur first in the leap year after a century without one', () => {
    for (const freq of ['DAILY', 'MONTHLY', 'YEARLY'])
      expect(faultsOf({ freq, bymonth: [2], bymonthday: [29] }, '2096-03-01T00:00:00')).to.deep.equal({})
  })

  it('may start at either end of the calendar, at a fraction of a second', () => {
    for (const start of ['0001-01-01T00:00:00', '9999-12-31T23:59:59.999999999', '2026-03-01T13:00:00.5'])
      expect(faultsOf({ freq: 'WEEKLY' }, start)).to.deep.equal({})
  })

  it('has a fault at the path of each part that RFC 5545 does not permit', () => {
    const others = (...allowed: readonly string[]) => frequencies.filter((freq) => !allowed.includes(freq))
    for (const freq of others('YEARLY'))
      expect(faultsOf({ freq, byweekno: [20] })).to.have.property(
        'byweekno',
        'can only be used with freq YEARLY',
      )
    for (const freq of ['DAILY', 'WEEKLY', 'MONTHLY'])
      expect(faultsOf({ freq, byyearday: [1] })).to.deep.equal({
        byyearday: 'cannot be used with freq DAILY, WEEKLY or MONTHLY',
      })
    expect(faultsOf({ freq: 'WEEKLY', bymonthday: [1] })).to.deep.equal({
      bymonthday: 'cannot be used with freq WEEKLY',
    })
    for (const freq of others('MONTHLY', 'YEARLY'))
      for (const day of ['2MO', '+2MO', '-1FR'])
        expect(faultsOf({ freq, byday: ['TU', day] })).to.deep.equal({
          byday: 'can only have numbers with freq MONTHLY or YEARLY',
        })
    expect(faultsOf({ freq: 'YEARLY', byweekno: [20], byday: ['1MO'] })).to.deep.equal({
      byday: 'cannot have numbers together with byweekno',
    })
    expect(faultsOf({ freq: 'MONTHLY', bysetpos: [1] })).to.deep.equal({
      bysetpos: 'needs another part whose name starts with by',
    })
  })

  it('counts from 1 or from -1', () => {
    expect(
      faultsOf({
        freq: 'YEARLY',
        bymonthday: [1, 0],
        byyearday: [0],
        byweekno: [0],
        bysetpos: [0],
        byday: ['MO'],
      }),
    ).to.deep.equal({
      'bymonthday.1': 'must not be 0',
      'byyearday.0': 'must not be 0',
      'byweekno.0': 'must not be 0',
      'bysetpos.0': 'must not be 0',
    })
  })

  it('reports all faults together', () => {
    expect(
      faultsOf({
        freq: 'WEEKLY',
        byweekno: [1],
        byday: ['2MO'],
        bymonthday: [3, 0],
        byyearday: [4],
        count: 1,
        until: '2027-01-01',
      }),
    ).to.have.all.keys('byweekno', 'byday', 'bymonthday', 'bymonthday.1', 'byyearday', 'until')
  })

  it('has at most a time for each minute of a day', () => {
    const hours = minutes.slice(0, 24)
    const message = 'must not have more than 1440 times of day: byhour, byminute and bysecond, multiplied'
    for (const freq of frequencies) {
      expect(faultsOf({ freq, byhour: hours, byminute: minutes })).to.deep.equal({})
      expect(faultsOf({ freq, byhour: hours, byminute: minutes, bysecond: [0, 30] })).to.deep.equal({
        '': message,
      })
    }
    expect(faultsOf({ freq: 'HOURLY', byminute: minutes, bysecond: minutes })).to.deep.equal({ '': message })
  })

  it('does not end before it starts', () => {
    expect(faultsOf({ freq: 'DAILY', until: '2026-03-01T12:59:59' })).to.deep.equal({
      until: 'must not be before dtstart',
    })
    expect(faultsOf({ freq: 'DAILY', until: '2026-03-01T13:00:00' })).to.deep.equal({})
  })

  for (const [what, rule] of Object.entries({
    'the 30th of February': { freq: 'YEARLY', bymonth: [2], bymonthday: [30] },
    'the 30th of February, by days': { freq: 'DAILY', bymonth: [2], bymonthday: [30] },
    'the 30th of February, by seconds': { freq: 'SECONDLY', bymonth: [2], bymonthday: [30] },
    'the 31st of short months': { freq: 'MONTHLY', bymonth: [2, 4, 6, 9, 11], bymonthday: [31] },
    'the sixth Monday of a month': { freq: 'MONTHLY', byday: ['6MO'] },
    'the second of one': { freq: 'DAILY', byhour: [1], bysetpos: [2] },
    'half past, every full hour': { freq: 'MINUTELY', interval: 60, byminute: [30] },
    'the 29th of February, of years that are none': {
      freq: 'YEARLY',
      interval: 100,
      bymonth: [2],
      bymonthday: [29],
    },
    'Monday, every seventh day from a Sunday': { freq: 'DAILY', interval: 7, byday: ['MO'] },
    'the first day within the 20th week': { freq: 'YEARLY', byyearday: [1], byweekno: [20] },
    'days in the middle of the year within its first and last weeks': {
      freq: 'YEARLY',
      byyearday: [150, -150],
      byweekno: [1, 2, -1, 53],
    },
    'Wednesday, with an end before the first one': { freq: 'WEEKLY', byday: ['WE'], until: '2026-03-02' },
    'the 63rd of the minutes in an hour of a day': {
      freq: 'DAILY',
      byhour: [9],
      byminute: minutes,
      bysetpos: [63],
    },
    'the 61st of the minutes, twice a week': {
      freq: 'WEEKLY',
      byday: ['MO'],
      byminute: minutes,
      bysetpos: [61, -61],
    },
    'Friday, over on Friday before its hour': {
      freq: 'DAILY',
      byday: ['FR'],
      byhour: [9],
      until: '2026-03-06T08:00:00',
    },
    'the end of the calendar': { freq: 'YEARLY', interval: 10_000, bymonth: [2], bymonthday: [30] },
  }))
    it(`has an occurrence, unlike ${what}`, () => expect(faultsOf(rule)).to.have.all.keys('')).timeout(5000)

  it('may be any day of the year that the library finds in a week', () => {
    const near = fc.tuple(fc.integer({ min: 1, max: 53 }), fc.integer({ min: -11, max: 6 }))
    const ends = fc.tuple(fc.boolean(), fc.boolean(), fc.constantFrom('MO', 'WE', 'SU'))
    const found = new Set<boolean>()
    fc.assert(
      fc.property(near, ends, ([week, distance], [isDayFromEnd, isWeekFromEnd, wkst]) => {
        const day = ((7 * week + distance + 364) % 365) + 1
        const rule = ruleOf({
          freq: 'YEARLY',
          wkst,
          byyearday: [isDayFromEnd ? day - 366 : day],
          byweekno: [isWeekFromEnd ? week - 54 : week],
        })
        const bounds = { cache: false, maxIterations: 7, maxCandidateEvaluations: 2000 }
        let isFound = false
        try {
          new RRuleTemporal({ ...libraryOptions(rule, dtstart), ...bounds }).all(() => {
            isFound = true
            return false
          })
        } catch (error) {
          expect(String(error)).to.match(/Maximum/)
        }
        found.add(isFound)
        if (isFound) expect(recurrenceFaults(rule, dtstart)).to.deep.equal([])
      }),
      { numRuns: 20 },
    )
    expect(found.has(true)).to.equal(true)
  }).timeout(30_000)

  it('is validated in bounded time, with any parts', () => {
    const input = jsonOf(recurrenceRule.schema) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(
        input,
        fc.constantFrom('2024-02-29T00:00:00', dtstart, '9999-12-31T23:59:59'),
        (rule, start) => {
          for (const { path, message } of recurrenceFaults(ruleOf(rule), start)) {
            expect(path === '' || Object.hasOwn(rule, path.split('.')[0] ?? '')).to.equal(true)
            expect(message).to.match(/^(?:must|can|needs)/)
          }
        },
      ),
      { numRuns: 60 },
    )
  }).timeout(60_000)
})

describe('the recurrence of an event', () => {
  const event = { content_type: 'event', title: 'x', urlname: 'x', dtstart }
  const put = (input: JsonObject, previous: JsonObject | null = null) =>
    write(content, command('put', { ...event, ...input }, previous))
  const pathsOf = ({ draft }: ReturnType<typeof put>) => draft.faults.map(({ path }) => path)

  it('has faults below rrule', () => {
    expect(pathsOf(put({ rrule: { freq: 'WEEKLY', byweekno: [1], byday: ['2MO'] } }))).to.have.members([
      'rrule.byweekno',
      'rrule.byday',
    ])
    expect(pathsOf(put({ rrule: { freq: 'MONTHLY', byday: ['6MO'] } }))).to.deep.equal(['rrule'])
    expect(pathsOf(put({ rrule: { freq: 'never' } }))).to.deep.equal(['rrule.freq'])
  })

  it('is validated only when the rule or the start changes', () => {
    const { state } = put({ rrule: { freq: 'DAILY', until: '2026-03-05' } })
    const patch = (input: JsonObject) => write(content, command('patch', input, state, { now: later }))
    expect(pathsOf(patch({ dtstart: '2026-03-06' }))).to.deep.equal(['rrule.until'])
    expect(pathsOf(patch({ rrule: { freq: 'DAILY', until: '2026-02-01' } }))).to.deep.equal(['rrule.until'])
    const broken = { ...state, rrule: ruleOf({ freq: 'MONTHLY', byday: ['6MO'] }) } as unknown as JsonObject
    const again = write(content, command('patch', { title: 'y', rrule: broken['rrule'] ?? null }, broken))
    expect(pathsOf(again)).to.deep.equal([])
    expect(state).to.include({ created: now })
  })
})
