import type { RRuleTemporal } from 'rrule-temporal'
import { stored, type WholeOf } from '../resource/attribute.js'
import { isDay } from '../time/parse-date-time.js'
import { listOf, record } from '../value/record.js'
import { dateTimeOrDay, integer, nonZeroForms, oneOf } from '../value/scalar.js'
import { textOf } from '../value/text.js'

/** The periods of rules. */
export const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const weekday = textOf(
  { pattern: '^([+-]?([1-9]|[1-4][0-9]|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$', maxLength: 5 },
  'a weekday such as MO, 2TU or -1FR',
  (value) => (/^(?:[+-]?(?:[1-9]|[1-4]\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value) ? value : null),
)

const parts = (min: number, max: number) => listOf(integer({ min, max }), 400)

/** Days, weeks and positions, counted from 1, or backwards from -1. */
const places = (max: number) =>
  listOf(
    {
      ...integer({ min: -max, max }),
      inputSchema: nonZeroForms(max),
    },
    400,
  )

const ruleParts = {
  freq: stored(oneOf(frequencies), 'FREQ.', {
    required: true,
  }),
  interval: stored(integer({ min: 1, max: 10_000 }), 'INTERVAL.'),
  count: stored(integer({ min: 1, max: 100_000 }), 'COUNT; not together with until.'),
  until: stored(dateTimeOrDay, 'UNTIL; a day includes its starts; not together with count.'),
  byday: stored(listOf(weekday, 400), 'BYDAY.'),
  bymonth: stored(parts(1, 12), 'BYMONTH.'),
  bymonthday: stored(places(31), 'BYMONTHDAY.'),
  byyearday: stored(places(366), 'BYYEARDAY.'),
  byweekno: stored(places(53), 'BYWEEKNO.'),
  byhour: stored(parts(0, 23), 'BYHOUR.'),
  byminute: stored(parts(0, 59), 'BYMINUTE.'),
  bysecond: stored(parts(0, 60), 'BYSECOND.'),
  bysetpos: stored(places(366), 'BYSETPOS.'),
  wkst: stored(oneOf(weekdays), 'WKST.'),
} as const

/** How an event recurs (docs/behaviour/content.md#recurrence); absent parts are null. */
export type RecurrenceRule = WholeOf<typeof ruleParts>

/** The last time of a rule: the end of the day if `until` is a day. */
export const lastTimeOf = ({ until }: Pick<RecurrenceRule, 'until'>): string | null =>
  until !== null && isDay(until) ? `${until}T23:59:59.999999999` : until

/** Decodes each part of an RFC 5545 rule; `recurrenceFaults` checks the combination. */
export const recurrenceRule = record(ruleParts)

// Converts a recurrence rule to options of the library for RFC 5545.

/** A naive date-time as the library expects it. */
const momentIn = (zone: string) => (dateTime: string) => ({
  timeZoneId: zone,
  toString: () => `${dateTime}[${zone}]`,
})

const listed = <A>(name: string, values: readonly A[] | null): object =>
  values === null || values.length === 0 ? {} : { [name]: [...values] }

type Options = ConstructorParameters<typeof RRuleTemporal>[0]

/** The options for a rule and its start. By default in UTC, which has no clock changes. */
export const libraryOptions = (rule: RecurrenceRule, dtstart: string, zone = 'UTC'): Options => {
  const moment = momentIn(zone)
  const until = lastTimeOf(rule)
  const freq = frequencies.find((each) => each === rule.freq) ?? 'DAILY'
  return {
    freq,
    dtstart: moment(dtstart),
    ...(rule.interval === null ? {} : { interval: rule.interval }),
    ...(rule.count === null ? {} : { count: rule.count }),
    ...(until === null ? {} : { until: moment(until) }),
    ...(rule.wkst === null ? {} : { wkst: rule.wkst }),
    ...listed('byDay', rule.byday),
    ...listed('byMonth', rule.bymonth),
    ...listed('byMonthDay', rule.bymonthday),
    ...listed('byYearDay', rule.byyearday),
    ...listed('byWeekNo', rule.byweekno),
    ...listed('byHour', rule.byhour),
    ...listed('byMinute', rule.byminute),
    ...listed('bySecond', rule.bysecond),
    ...listed('bySetPos', rule.bysetpos),
    strict: true,
  }
}
