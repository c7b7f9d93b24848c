/** The calendars of this service, and those of other zones, come in as the events that they are. */
import { content } from '@publishing-service/domain'
import { calendarEvent, calendarOf } from '@publishing-service/domain/feeds'
import { E } from '@publishing-service/domain/fp'
import { isJsonList, type JsonObject } from '@publishing-service/domain/json'
import { command, decided, links, now, objectId, withWebsite } from '@publishing-service/domain/testing'
import { instantAt } from '@publishing-service/domain/time'
import { iCalendarOf } from '@publishing-service/http-contract'
import { readCalendar } from '@publishing-service/imports'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'

const zones = ['Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'UTC'] as const

/** An event that is written now in an instance of a zone; null if the service refuses it. */
const written = (body: JsonObject, timezone: string): JsonObject | null => {
  const settings = { ...withWebsite, timezone }
  const { outcome } = decided(content, command('put', body, null, { settings }))
  return E.isLeft(outcome) ? null : outcome.right.state
}

const calendarText = (state: JsonObject, timezone: string): string => {
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
  return iCalendarOf(calendarOf(event === null ? [] : [{ id: objectId, event }], settings, instant))
}

/** The event of a calendar, as it is in an instance of a zone; null if the calendar has none. */
const imported = async (text: string, zone: string): Promise<JsonObject | null> => {
  const options = { zone, now: instantAt(zone, now), state: 'published', source: '' } as const
  const source = await readCalendar(text, options, async () => undefined)
  for await (const { object, faults } of source.records()) {
    expect(faults).to.deep.equal([])
    if (object?.collection === 'content') {
      const state = written(object.attributes, zone)
      expect(state, JSON.stringify(object.attributes)).not.to.equal(null)
      return state
    }
  }
  return null
}

const occurrencesOf = (state: JsonObject | null): readonly string[] => {
  const listed = state?.['occurrences'] ?? []
  return isJsonList(listed) ? listed.map(String) : []
}

const instantsOf = (state: JsonObject | null, zone: string): readonly number[] =>
  occurrencesOf(state).map((each) => instantAt(zone, each.slice(0, each.indexOf(' '))))

const day = fc
  .integer({ min: 0, max: 500 })
  .map((days) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10))
const time = fc.constantFrom('00:00:00', '02:30:00', '10:00:00', '23:15:00')
const moment = fc.tuple(day, time).map((parts) => parts.join('T'))
const weekdays = fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), {
  minLength: 1,
  maxLength: 2,
})
const endings = fc.oneof(
  fc.constant({}),
  fc.record({ count: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ until: fc.oneof(day, moment) }),
)
const rules = fc
  .tuple(
    fc.oneof(
      fc.record({ freq: fc.constant('DAILY') }),
      fc.record({ freq: fc.constant('WEEKLY'), byday: weekdays, wkst: fc.constantFrom('MO', 'SU') }),
      fc.record({ freq: fc.constant('MONTHLY'), bymonthday: fc.constantFrom([1], [31], [-1]) }),
      fc.record({ freq: fc.constant('YEARLY') }),
    ),
    fc.integer({ min: 1, max: 3 }),
    endings,
  )
  .map(([rule, interval, ending]) => ({ ...rule, interval, ...ending }))

const events = fc.record({
  title: fc.constantFrom('Tea', 'Cancelled: Tea', 'A, b; c\\n "d"'),
  dtstart: moment,
  hours: fc.constantFrom(null, 1, 24, 48),
  rrule: fc.option(rules),
  rdates: fc.array(fc.oneof(day, moment), { maxLength: 2 }),
  exdates: fc.array(fc.oneof(day, moment), { maxLength: 2 }),
  status: fc.constantFrom(null, 'cancelled', 'postponed', 'moved_online'),
})

type GeneratedEvent = typeof events extends fc.Arbitrary<infer A> ? A : never

const bodyOf = ({ hours, status, rrule, ...rest }: GeneratedEvent): JsonObject => {
  const end = hours === null ? null : Date.parse(`${rest.dtstart}Z`) + hours * 3_600_000
  return {
    ...rest,
    content_type: 'event',
    urlname: 'a',
    state: 'published',
    dtend: end === null ? null : new Date(end).toISOString().slice(0, 19),
    ...(rrule === null ? {} : { rrule }),
    event_status_type: status,
  }
}

const limits = { numRuns: 40, interruptAfterTimeLimit: 15_000 }

describe('a calendar of this service', function () {
  this.timeout(60_000)

  it('comes in with the titles, states and occurrences of its events', () =>
    fc.assert(
      fc.asyncProperty(events, fc.constantFrom(...zones), async (generated, zone) => {
        const stored = written(bodyOf(generated), zone)
        fc.pre(stored !== null)
        const state = await imported(calendarText(stored, zone), zone)
        expect(occurrencesOf(state)).to.deep.equal(occurrencesOf(stored))
        if (state === null) return
        const hasWord = generated.status === null && generated.title.startsWith('Cancelled: ')
        expect(state).to.include(
          hasWord
            ? { title: 'Tea', event_status_type: 'cancelled' }
            : { title: stored['title'], event_status_type: stored['event_status_type'] },
        )
      }),
      limits,
    ))

  it('comes in at the same moments in an instance of another zone', () =>
    fc.assert(
      fc.asyncProperty(
        events,
        fc.constantFrom(...zones),
        fc.constantFrom(...zones),
        async (generated, zone, other) => {
          // Days have other moments in other zones, and so do ends of rules without a time.
          const { rdates, exdates, hours } = generated
          fc.pre(![...rdates, ...exdates].some((each) => each.length === 10))
          fc.pre(hours === null || hours < 24)
          const stored = written(bodyOf(generated), zone)
          fc.pre(stored !== null && occurrencesOf(stored).length < 700)
          const state = await imported(calendarText(stored, zone), other)
          // Lists end at a time of the clock.
          const end = instantAt(zone, now) + 2 * 366 * 86_400_000
          const before = (instant: number): boolean => instant < end
          expect(instantsOf(state, other).filter(before)).to.deep.equal(
            instantsOf(stored, zone).filter(before),
          )
        },
      ),
      limits,
    ))
})
