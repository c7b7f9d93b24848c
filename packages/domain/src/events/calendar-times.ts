/**
 * The times of an event as calendars have them (RFC 5545). A rule remains a rule where every calendar reads it as the
 * service does; otherwise each occurrence is a date (docs/behaviour/feeds.md#recurring-events).
 */
import { RRuleTemporal } from 'rrule-temporal'
import { instantAt, offsetChanges, utcTime } from '../time/naive-date-time.js'
import { isDay } from '../time/parse-date-time.js'
import { furtherStarts, type EventTimes } from './occurrences.js'
import { endOf, startOf } from './occurring.js'
import { isOfDays } from './recurrence-faults.js'
import { lastTimeOf, libraryOptions, type RecurrenceRule } from './recurrence-rule.js'

/** Local times `YYYY-MM-DDTHH:MM:SS`, or days if the event is of whole days. */
export type CalendarTimes = {
  readonly isOfWholeDays: boolean
  readonly start: string
  /** Null if it is not known. */
  readonly end: string | null
  /** Its `until` is in UTC, or a day if the event is of whole days. */
  readonly rule: RecurrenceRule | null
  readonly rdates: readonly string[]
  readonly exdates: readonly string[]
}

/** Years after now in which calendars follow rules by the offsets of the zone. */
export const calendarYears = 4

const toSeconds = (time: string): string => time.slice(0, 19)

const isEmpty = (parts: readonly unknown[] | null): boolean => parts === null || parts.length === 0

/** Calendars differ in rules with times, and in rules with periods shorter than days when clocks change. */
const isByDays = ({ freq, byhour, byminute, bysecond }: RecurrenceRule): boolean =>
  isOfDays(freq) && [byhour, byminute, bysecond].every(isEmpty)

/** Whether the first start follows from the rule. RFC 5545 leaves open what other rules mean. */
const startsAsRuled = (rule: RecurrenceRule, start: string): boolean => {
  const { bymonth, byweekno, byyearday, bymonthday, byday } = rule
  if ([bymonth, byweekno, byyearday, bymonthday, byday].every(isEmpty)) return true
  const endless = { ...rule, count: null, until: null }
  const first = { timeZoneId: 'UTC', toString: () => `${start}[UTC]` }
  const bounds = { strict: false, cache: false, includeDtstart: false, maxIterations: 400 }
  try {
    return (
      new RRuleTemporal({ ...libraryOptions(endless, start), ...bounds }).between(first, first, true).length >
      0
    )
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** Whether the zone skips this time of some day from `from` to `to`. */
const isSkipped = (zone: string, time: string, from: number, to: number): boolean =>
  offsetChanges(zone, from, to).some(({ at, before, after }) => {
    if (after <= before) return false
    const [first, end] = [utcTime(at + before).slice(0, 19), utcTime(at + after).slice(0, 19)]
    return [first, end].some((each) => {
      const start = `${each.slice(0, 10)}T${time}`
      return start >= first && start < end
    })
  })

const endOfCalendar = '9999-12-31T23:59:59Z'

const untilOf = (rule: RecurrenceRule, zone: string, isOfWholeDays: boolean): string | null => {
  const last = lastTimeOf(rule)
  if (last === null) return null
  if (isOfWholeDays) return last.slice(0, 10)
  const utc = utcTime(instantAt(zone, toSeconds(last)))
  return utc.startsWith('+') ? endOfCalendar : `${toSeconds(utc)}Z`
}

/** The form of a time: a date-time to the second, or a day. */
const formOf = (isOfWholeDays: boolean) => (time: string) => time.slice(0, isOfWholeDays ? 10 : 19)

const isMidnight = (time: string): boolean => time.slice(11, 19) === '00:00:00'

/** Each occurrence as a date. */
const listed = (occurrences: readonly string[], dtend: string | null): CalendarTimes | null => {
  const [first] = occurrences
  if (first === undefined) return null
  const starts = occurrences.map((each) => toSeconds(startOf(each)))
  const [start, end] = [toSeconds(startOf(first)), toSeconds(endOf(first))]
  const hasEnd = dtend !== null && end > start
  const isOfWholeDays = hasEnd && isMidnight(end) && starts.every(isMidnight)
  const form = formOf(isOfWholeDays)
  return {
    isOfWholeDays,
    start: form(start),
    end: hasEnd ? form(end) : null,
    rule: null,
    // Some programs do not count the start where there are further dates and no rule.
    rdates: starts.length > 1 ? starts.map(form) : [],
    exdates: [],
  }
}

/** The times of an event with its listed occurrences; null if it has no occurrence. `now` is in milliseconds. */
export const calendarTimes = (
  { dtstart, dtend, rrule, rdates, exdates }: EventTimes,
  occurrences: readonly string[],
  zone: string,
  now: number,
): CalendarTimes | null => {
  if (dtstart === null || occurrences.length === 0) return null
  const start = toSeconds(dtstart)
  const from = instantAt(zone, start)
  const isRule =
    rrule !== null &&
    from > 0 &&
    isByDays(rrule) &&
    startsAsRuled(rrule, start) &&
    !isSkipped(zone, start.slice(11), from, now + calendarYears * 366 * 86_400_000)
  if (!isRule) return listed(occurrences, dtend)
  const further = furtherStarts(rdates ?? [], start, zone).map(toSeconds)
  const end = dtend === null || toSeconds(dtend) <= start ? null : toSeconds(dtend)
  const isOfWholeDays = end !== null && [start, end, ...further].every(isMidnight)
  const form = formOf(isOfWholeDays)
  const added = new Set(further)
  const excluded = new Set(
    (exdates ?? [])
      .map((each) => (isDay(each) ? `${each}${start.slice(10)}` : toSeconds(each)))
      .filter((each) => each.slice(10) === start.slice(10) || added.has(each)),
  )
  const excludedDays = new Set((exdates ?? []).filter(isDay))
  return {
    isOfWholeDays,
    start: form(start),
    end: end === null ? null : form(end),
    rule: { ...rrule, until: untilOf(rrule, zone, isOfWholeDays) },
    rdates: further.filter((each) => !excluded.has(each) && !excludedDays.has(each.slice(0, 10))).map(form),
    exdates: [...excluded].map(form),
  }
}
