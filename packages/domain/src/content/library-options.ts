/** Converts a recurrence rule to options of the library for RFC 5545. */
import type { RRuleTemporal } from 'rrule-temporal'
import { frequencies, lastTimeOf, type RecurrenceRule } from './recurrence-rule.js'

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
