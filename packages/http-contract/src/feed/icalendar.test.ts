/** Calendars as iCalendar, read by another program (docs/behaviour/feeds.md#calendars). */
import { content } from '@publishing-service/domain'
import { calendarEvent, calendarOf, type Calendar } from '@publishing-service/domain/feeds'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { instantAt } from '@publishing-service/domain/time'
import { command, decided, links, now, objectId, withWebsite } from '@publishing-service/domain/testing'
import { anyCharacter } from '@publishing-service/domain/testing/arbitraries'
import { expect } from 'chai'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, it } from 'mocha'
import { exampleCalendar } from './example-feed.js'
import { iCalendarOf } from './icalendar.js'

/** The state of an event that is written now; null if the service refuses it. */
const stored = (input: JsonObject, timezone: string): JsonObject | null => {
  const body = { content_type: 'event', title: 'A', urlname: 'a', state: 'published', ...input }
  const settings = { ...withWebsite, timezone }
  const { outcome } = decided(content, command('put', body, null, { settings }))
  return E.isLeft(outcome) ? null : outcome.right.state
}

const calendarWith = (state: JsonObject, timezone: string): Calendar => {
  const settings = { ...withWebsite, timezone }
  const view = {
    role: 'public_user',
    now,
    settings,
    links,
    id: objectId,
    canScale: () => true,
    find: () => undefined,
    count: () => 0,
  } as const
  const instant = instantAt(timezone, now)
  const event = calendarEvent(state, view, settings, instant)
  return calendarOf(event === null ? [] : [{ id: objectId, event }], settings, instant)
}

const read = (calendar: Calendar) => {
  const parsed = new ICAL.Component(ICAL.parse(iCalendarOf(calendar)))
  return { parsed, event: parsed.getFirstSubcomponent('vevent') }
}

/** The starts that the other program shows until a time, and when the first ends. */
const startsIn = (calendar: Calendar, last: string): readonly string[] => {
  const { event } = read(calendar)
  if (event === null) return []
  const start = event.getFirstPropertyValue('dtstart')
  if (!(start instanceof ICAL.Time)) throw new TypeError('no time')
  const expansion = new ICAL.RecurExpansion({ component: event, dtstart: start })
  // The expansion itself misses an exclusion that follows another of no occurrence.
  const excluded = new Set(
    event
      .getAllProperties('exdate')
      .flatMap((each) => each.getValues())
      .map(String),
  )
  const starts: string[] = []
  for (;;) {
    const next = expansion.next()?.toString()
    if (next === undefined) return starts
    const local = next.length === 10 ? `${next}T00:00:00` : next.slice(0, 19)
    if (local > last) return starts
    if (starts.at(-1) !== local && !excluded.has(next)) starts.push(local)
  }
}

const zones = ['Europe/Vienna', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kolkata', 'UTC'] as const
const daysOfWeek = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const weekday = fc.constantFrom(...daysOfWeek)
const numberedWeekday = fc
  .tuple(fc.constantFrom('', '1', '2', '4', '-1'), weekday)
  .map(([number, day]) => `${number}${day}`)
const some = <A>(values: fc.Arbitrary<A>) => fc.uniqueArray(values, { minLength: 1, maxLength: 3 })
const dayIn2026 = fc
  .integer({ min: 0, max: 364 })
  .map((days) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10))
const time = fc.constantFrom('00:00:00', '00:30:00', '02:30:00', '10:00:00', '23:15:00')
const interval = fc.option(fc.integer({ min: 1, max: 3 }), { nil: null })

const rules = fc.oneof(
  fc.record({
    freq: fc.constant('DAILY'),
    interval,
    bymonth: fc.option(some(fc.integer({ min: 1, max: 12 }))),
  }),
  fc.record({ freq: fc.constant('DAILY'), interval, byhour: fc.constant([9, 17]) }),
  fc.record({ freq: fc.constant('HOURLY'), interval: fc.integer({ min: 5, max: 30 }) }),
  fc.record({
    freq: fc.constant('WEEKLY'),
    interval,
    byday: fc.option(some(weekday)),
    wkst: fc.option(fc.constantFrom('MO', 'SU')),
  }),
  fc.record({ freq: fc.constant('MONTHLY'), interval, byday: fc.option(some(numberedWeekday)) }),
  fc.record({
    freq: fc.constant('MONTHLY'),
    interval,
    bymonthday: some(fc.constantFrom(1, 13, 29, 31, -1)),
  }),
  fc.record({
    freq: fc.constant('MONTHLY'),
    byday: some(weekday),
    bysetpos: some(fc.constantFrom(1, 2, -1)),
  }),
  fc.record({ freq: fc.constant('YEARLY'), interval, bymonth: some(fc.integer({ min: 1, max: 12 })) }),
)

const endings = fc.oneof(
  fc.constant({}),
  fc.record({ count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ until: dayIn2026 }),
)

const events = fc.record({
  dtstart: fc.tuple(dayIn2026, time).map(([day, at]) => `${day}T${at}`),
  rrule: fc.option(fc.tuple(rules, endings).map(([rule, ending]) => ({ ...rule, ...ending }))),
  rdates: fc.array(
    fc.oneof(
      dayIn2026,
      fc.tuple(dayIn2026, time).map((parts) => parts.join('T')),
    ),
    { maxLength: 3 },
  ),
  exdates: fc.array(dayIn2026, { maxLength: 3 }),
})

/** A rule of weeks or days of the month that has the day of the start. */
const withDayOf = (start: string, rule: JsonObject | null): JsonObject | null => {
  const day = new Date(`${start}Z`)
  const weekdayOf = daysOfWeek[(day.getUTCDay() + 6) % 7] ?? 'MO'
  const listed = (name: string): JsonObject =>
    Array.isArray(rule?.[name])
      ? { [name]: [...new Set([...rule[name], name === 'byday' ? weekdayOf : day.getUTCDate()])] }
      : {}
  if (rule === null) return null
  return { ...rule, ...(rule['freq'] === 'WEEKLY' ? listed('byday') : {}), ...listed('bymonthday') }
}

const startOf = (occurrence: string): string => occurrence.slice(0, 19)

/** Its size in UTF-8. */
const bytesOf = (line: string): number =>
  Array.from(line, (each) => each.codePointAt(0) ?? 0).reduce(
    (sum, code) => sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4),
    0,
  )

describe('iCalendar', () => {
  it('has the occurrences of the service, for another program too', function () {
    this.timeout(60_000)
    let [asRules, asDates] = [0, 0]
    fc.assert(
      fc.property(
        events,
        fc.constantFrom(...zones),
        fc.boolean(),
        fc.boolean(),
        (event, timezone, isOfWholeDays, isMatching) => {
          const start = isOfWholeDays ? `${event.dtstart.slice(0, 10)}T00:00:00` : event.dtstart
          const end = new Date(Date.parse(`${start}Z`) + (isOfWholeDays ? 48 : 1) * 3_600_000)
          // The other program has no right day of months that are too short for a rule of years.
          fc.pre(event.rrule?.freq !== 'YEARLY' || Number(start.slice(8, 10)) <= 28)
          const rrule = isMatching ? withDayOf(start, event.rrule) : event.rrule
          const times = { ...event, rrule, dtstart: start, dtend: end.toISOString().slice(0, 19) }
          const state = stored(times, timezone)
          fc.pre(state !== null)
          const listed = (state['occurrences'] as readonly string[]).map(startOf)
          const last = listed.length >= 750 ? (listed.at(-1) ?? '') : '2028-03-01T00:00:00'
          const calendar = calendarWith(state, timezone)
          const [shown] = calendar.events
          if (shown?.rule === null) asDates += 1
          else if (shown !== undefined) asRules += 1
          const within = listed.filter((each) => each <= last)
          expect(startsIn(calendar, last)).to.deep.equal(within)
        },
      ),
      { numRuns: 60 },
    )
    // Neither way is the only one.
    expect(Math.min(asRules, asDates)).to.be.above(5)
  })

  it('has any text, in lines of at most 75 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const [event] = exampleCalendar.events
        if (event === undefined) throw new Error('no example')
        const calendar = {
          ...exampleCalendar,
          title: text,
          events: [{ ...event, title: text, place: { text, coordinates: null }, categories: [text, 'b'] }],
        }
        const lines = iCalendarOf(calendar).split('\r\n')
        for (const line of lines) {
          expect(bytesOf(line)).to.be.at.most(75)
          expect(line).not.to.match(/\p{Cc}/u)
        }
        const { parsed, event: shown } = read(calendar)
        const readable = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')
        expect(shown?.getFirstPropertyValue('summary')).to.equal(readable)
        expect(shown?.getFirstPropertyValue('location') ?? '').to.equal(readable)
        expect(shown?.getFirstProperty('categories')?.getValues()).to.deep.equal([readable, 'b'])
        expect(parsed.getAllSubcomponents('vevent').length).to.equal(1)
      }),
    )
  })

  it('has the offsets of the zone', () => {
    for (const timezone of zones) {
      const state = stored({ dtstart: '2026-01-01T20:00:00', rrule: { freq: 'DAILY' } }, timezone)
      if (state === null) throw new Error('refused')
      const { parsed } = read(calendarWith(state, timezone))
      const component = parsed.getFirstSubcomponent('vtimezone')
      if (component === null) throw new Error('no zone')
      const zone = new ICAL.Timezone({ component, tzid: timezone })
      for (let day = 0; day < 900; day += 7) {
        const local = new Date(Date.UTC(2026, 0, 1, 12) + day * 86_400_000).toISOString().slice(0, 19)
        const shown = ICAL.Time.fromDateTimeString(local, undefined)
        shown.zone = zone
        expect(shown.toUnixTime() * 1000, `${timezone} ${local}`).to.equal(instantAt(timezone, local))
      }
    }
  })
})
