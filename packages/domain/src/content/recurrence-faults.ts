import { RRuleTemporal } from 'rrule-temporal'
import { fault, type Fault } from '../fault.js'
import { frequencies, type RecurrenceRule } from './recurrence-rule.js'

/**
 * How many periods, after its start, a rule is given to come about: eight years of days and more, decades of months.
 * A rule that never does would else be followed for ever.
 */
const searched = {
  SECONDLY: 1000,
  MINUTELY: 1000,
  HOURLY: 1000,
  DAILY: 3000,
  WEEKLY: 500,
  MONTHLY: 500,
  YEARLY: 100,
} as const

// BYSETPOS makes whole periods of seconds.
const maxCandidates = 100_000

/** The parts that the library tells of when they are out of place, with what would be right. */
const misplaced: readonly (readonly [telling: RegExp, part: keyof RecurrenceRule, message: string])[] = [
  [/^COUNT and UNTIL/, 'until', 'can’t stand together with count'],
  [/^BYWEEKNO/, 'byweekno', 'can only stand with freq YEARLY'],
  [/^BYYEARDAY/, 'byyearday', 'can’t stand with freq DAILY, WEEKLY or MONTHLY'],
  [/^BYMONTHDAY/, 'bymonthday', 'can’t stand with freq WEEKLY'],
  [/^BYDAY.*BYWEEKNO/, 'byday', 'can’t have numbers together with byweekno'],
  [/^BYDAY/, 'byday', 'can only have numbers with freq MONTHLY or YEARLY'],
  [/^BYSETPOS/, 'bysetpos', 'needs another part that begins with by'],
]

/** A naive time as the library takes it: all within one zone that never changes its clocks. */
const moment = (dateTime: string) => ({ timeZoneId: 'UTC', toString: () => `${dateTime}+00:00[UTC]` })

const listed = <A>(name: string, values: readonly A[] | null): object =>
  values === null || values.length === 0 ? {} : { [name]: [...values] }

type Options = ConstructorParameters<typeof RRuleTemporal>[0]

const optionsOf = (rule: RecurrenceRule, dtstart: string): Options => {
  const freq = frequencies.find((each) => each === rule.freq) ?? 'DAILY'
  return {
    freq,
    dtstart: moment(dtstart),
    ...(rule.interval === null ? {} : { interval: rule.interval }),
    ...(rule.count === null ? {} : { count: rule.count }),
    ...(rule.until === null ? {} : { until: moment(rule.until) }),
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
    cache: false,
    maxIterations: searched[freq],
    maxCandidateEvaluations: maxCandidates,
  }
}

/** RFC 5545 counts days, weeks and places from 1, or backwards from -1. */
const zeroFaults = (rule: RecurrenceRule): readonly Fault[] =>
  (['bymonthday', 'byyearday', 'byweekno', 'bysetpos'] as const).flatMap((name) =>
    (rule[name] ?? []).flatMap((value, index) =>
      value === 0 ? [fault(`${name}.${index}`, 'must not be 0')] : [],
    ),
  )

const withoutZero = ({ bysetpos }: RecurrenceRule): readonly number[] | null =>
  bysetpos === null ? null : bysetpos.filter((value) => value !== 0)

/** The parts that can't stand with the others, one after the other: the library tells the first. */
const placeFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  try {
    new RRuleTemporal(optionsOf(rule, dtstart)).options()
    return []
  } catch (error) {
    const told = misplaced.find(([telling]) => error instanceof Error && telling.test(error.message))
    if (told === undefined) throw error
    const [, part, message] = told
    return [fault(part, message), ...placeFaults({ ...rule, [part]: null }, dtstart)]
  }
}

const comesAbout = (rule: RecurrenceRule, dtstart: string): boolean => {
  let found = false
  try {
    new RRuleTemporal(optionsOf(rule, dtstart)).all(() => {
      found = true
      return false
    })
  } catch (error) {
    // It was searched as far as it is searched, or to the end of the calendar.
    const isOver =
      error instanceof RangeError || (error instanceof Error && error.message.startsWith('Maximum '))
    if (!isOver) throw error
  }
  return found
}

/**
 * What is wrong with a rule as a whole: parts that can’t stand together, and that no start follows from it (RFC 5545,
 * 3.3.10; decisions §7). Its parts are right each by itself, `dtstart` is a date-time in the same zone as `until`.
 */
export const recurrenceFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  const faults = [...zeroFaults(rule), ...placeFaults({ ...rule, bysetpos: withoutZero(rule) }, dtstart)]
  if (faults.length > 0) return faults
  if (rule.until !== null && rule.until < dtstart) return [fault('until', 'must not be before dtstart')]
  return comesAbout(rule, dtstart)
    ? []
    : [fault('', 'must come about: no start follows from it, or none within many years of dtstart')]
}
