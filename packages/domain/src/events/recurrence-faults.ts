import { RRuleTemporal } from 'rrule-temporal'
import { libraryOptions, type RecurrenceRule, lastTimeOf } from './recurrence-rule.js'
import { fault, type Fault } from '../fault.js'

// Whether a recurrence rule has any occurrence. The search is bounded to some milliseconds for every rule. It leaves out
// times of day, because a period would otherwise have as many candidates as it has seconds.

/**
 * The number of periods after the start in which the first occurrence is searched: at least eight years of days, and
 * decades of months. Without a limit, the search for a rule without occurrences would not end.
 */
const maxPeriods = {
  SECONDLY: 1000,
  MINUTELY: 1000,
  HOURLY: 1000,
  DAILY: 3000,
  WEEKLY: 500,
  MONTHLY: 500,
  YEARLY: 40,
} as const

/** Maximum number of candidates that the library tests in one search, including days that it skips. */
const maxCandidates = 5000

/** The first occurrence, as text that begins with its date; null if none is found. */
const findFirstOccurrence = (rule: RecurrenceRule, dtstart: string, periods: number): string | null => {
  if (!mayMatch(rule)) return null
  let first: string | null = null
  // Without times, a rule may lack the parts that `bysetpos` needs. This was checked before, so `strict` is off.
  const bounds = {
    strict: false,
    cache: false,
    maxIterations: periods,
    maxCandidateEvaluations: maxCandidates,
  }
  try {
    new RRuleTemporal({ ...libraryOptions(rule, dtstart), ...bounds }).all((start) => {
      first = start.toString()
      return false
    })
  } catch (error) {
    // The search reached its limit or the end of the calendar.
    const isOver =
      error instanceof RangeError || (error instanceof Error && error.message.startsWith('Maximum '))
    if (!isOver) throw error
  }
  return first
}

/** The positions from the start for a position that is counted from the start or, if negative, from the end. */
const placesOf = (place: number, ...counts: readonly number[]): readonly number[] =>
  place > 0 ? [place] : counts.map((count) => place + count + 1)

/** Week 1 begins at most three days before or after 1 January, so weeks 1, 52 and 53 can include days of adjacent years. */
const mayBeInWeek = (day: number, week: number): boolean =>
  (day >= 7 * week - 9 && day <= 7 * week + 3) || (week >= 52 && day <= 3) || (week === 1 && day >= 363)

/** Whether a day of `byyearday` can be in a week of `byweekno`. Without this check, the library tests each day of each year. */
const mayMatch = ({ byyearday, byweekno }: RecurrenceRule): boolean => {
  const days = (byyearday ?? []).flatMap((day) => placesOf(day, 365, 366))
  const weeks = (byweekno ?? []).flatMap((week) => placesOf(week, 52, 53))
  return (
    days.length === 0 ||
    weeks.length === 0 ||
    days.some((day) => weeks.some((week) => mayBeInWeek(day, week)))
  )
}

const distinct = (parts: readonly unknown[] | null): number =>
  parts === null || parts.length === 0 ? 1 : new Set(parts).size

/** The number of times that the parts of a rule name in a day. */
const namedTimes = ({ byhour, byminute, bysecond }: RecurrenceRule): number =>
  distinct(byhour) * distinct(byminute) * distinct(bysecond)

/** The number of times of day that a rule has in each period, or in each day for periods of days and more. */
const timesOf = (rule: RecurrenceRule): number => {
  const { freq, byminute, bysecond } = rule
  if (freq === 'SECONDLY') return 1
  if (freq === 'MINUTELY') return distinct(bysecond)
  return freq === 'HOURLY' ? distinct(byminute) * distinct(bysecond) : namedTimes(rule)
}

const hasPlaceUpTo = (places: readonly number[] | null, most: number): boolean =>
  places === null || places.length === 0 || places.some((place) => Math.abs(place) <= most)

const timeless = { until: null, count: null, byhour: null, byminute: null, bysecond: null } as const

type Frequency = RecurrenceRule['freq']
type FrequencyOfDays = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** Whether the periods are days or longer. */
export const isOfDays = (freq: Frequency): freq is FrequencyOfDays =>
  freq === 'DAILY' || freq === 'WEEKLY' || freq === 'MONTHLY' || freq === 'YEARLY'

/** The maximum number of days that a rule has in each period. */
const mostDays = ({ byday, bymonthday }: RecurrenceRule, freq: FrequencyOfDays): number => {
  if (freq === 'DAILY') return 1
  if (freq === 'WEEKLY') return distinct(byday)
  if (freq === 'YEARLY') return 366
  return (byday ?? []).length + (bymonthday ?? []).length === 0 ? 1 : 31
}

/** The maximum number of starts that a rule has in each period. */
export const candidatesOf = (rule: RecurrenceRule): number =>
  timesOf(rule) * (isOfDays(rule.freq) ? mostDays(rule, rule.freq) : 1)

/** A rule with periods of days or more. Only its days are searched, except if it ends on the first of them. */
const hasOccurrenceByDays = (rule: RecurrenceRule, freq: FrequencyOfDays, dtstart: string): boolean => {
  const times = timesOf(rule)
  if (!hasPlaceUpTo(rule.bysetpos, times * mostDays(rule, freq))) return false
  // Converts a position among times to the position of its day among days.
  const ofDay = (place: number): number => Math.sign(place) * Math.ceil(Math.abs(place) / times)
  const bysetpos = freq === 'DAILY' ? null : (rule.bysetpos?.map(ofDay) ?? null)
  const first = findFirstOccurrence({ ...rule, ...timeless, bysetpos }, dtstart, maxPeriods[freq])
  if (first === null) return false
  const [day, last] = [first.slice(0, 10), rule.until?.slice(0, 10) ?? null]
  if (last === null || last > day) return true
  return last === day && findFirstOccurrence(rule, dtstart, maxPeriods[freq]) !== null
}

/** Whether a rule whose parts are consistent has an occurrence within many years of `dtstart`. */
const hasOccurrence = (rule: RecurrenceRule, dtstart: string): boolean => {
  const { freq } = rule
  switch (freq) {
    case 'DAILY':
    case 'WEEKLY':
    case 'MONTHLY':
    case 'YEARLY':
      return hasOccurrenceByDays(rule, freq, dtstart)
    case 'HOURLY':
    case 'MINUTELY':
    case 'SECONDLY': {
      if (!hasPlaceUpTo(rule.bysetpos, timesOf(rule))) return false
      // If no day of any year matches, the search by shorter periods is not needed.
      const days = { ...rule, ...timeless, freq: 'YEARLY', interval: null, bysetpos: null } as const
      return (
        findFirstOccurrence(days, dtstart, maxPeriods.YEARLY) !== null &&
        findFirstOccurrence(rule, dtstart, maxPeriods[freq]) !== null
      )
    }
    case null:
      return false
  }
}

/** Messages of the library about parts that cannot be combined, with the part and our message. */
const misplaced: readonly (readonly [telling: RegExp, part: keyof RecurrenceRule, message: string])[] = [
  [/^COUNT and UNTIL/, 'until', 'cannot be used together with count'],
  [/^BYWEEKNO/, 'byweekno', 'can only be used with freq YEARLY'],
  [/^BYYEARDAY/, 'byyearday', 'cannot be used with freq DAILY, WEEKLY or MONTHLY'],
  [/^BYMONTHDAY/, 'bymonthday', 'cannot be used with freq WEEKLY'],
  [/^BYDAY.*BYWEEKNO/, 'byday', 'cannot have numbers together with byweekno'],
  [/^BYDAY/, 'byday', 'can only have numbers with freq MONTHLY or YEARLY'],
  [/^BYSETPOS/, 'bysetpos', 'needs another part whose name starts with by'],
]

/** The maximum number of times of day in a rule: each minute. With more, the steps of its expansion would block requests. */
const maxTimes = 1440

/** RFC 5545 counts days, weeks and positions from 1, or backwards from -1. */
const zeroFaults = (rule: RecurrenceRule): readonly Fault[] =>
  (['bymonthday', 'byyearday', 'byweekno', 'bysetpos'] as const).flatMap((name) =>
    (rule[name] ?? []).flatMap((value, index) =>
      value === 0 ? [fault(`${name}.${index}`, 'range', 'must not be 0')] : [],
    ),
  )

const withoutZero = ({ bysetpos }: RecurrenceRule): readonly number[] | null =>
  bysetpos === null ? null : bysetpos.filter((value) => value !== 0)

/** All parts that cannot be combined with others. The library reports one at a time, so it is called repeatedly. */
const placeFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  try {
    new RRuleTemporal(libraryOptions(rule, dtstart)).options()
    return []
  } catch (error) {
    const known = misplaced.find(([pattern]) => error instanceof Error && pattern.test(error.message))
    if (known === undefined) throw error
    const [, part, message] = known
    return [fault(part, 'rule', message), ...placeFaults({ ...rule, [part]: null }, dtstart)]
  }
}

/**
 * The faults of a rule as a whole: parts that cannot be combined, too many times of day, and rules without occurrences (RFC 5545, 3.3.10;
 * docs/behaviour/content.md#recurrence). Each part is valid, and `dtstart` is a date-time in the same zone as `until`.
 */
export const recurrenceFaults = (rule: RecurrenceRule, dtstart: string): readonly Fault[] => {
  if (namedTimes(rule) > maxTimes)
    return [
      fault(
        '',
        'limit',
        `must not have more than ${maxTimes} times of day: byhour, byminute and bysecond, multiplied`,
      ),
    ]
  const faults = [...zeroFaults(rule), ...placeFaults({ ...rule, bysetpos: withoutZero(rule) }, dtstart)]
  if (faults.length > 0) return faults
  const last = lastTimeOf(rule)
  if (last !== null && last < dtstart) return [fault('until', 'range', 'must not be before dtstart')]
  return hasOccurrence(rule, dtstart)
    ? []
    : [fault('', 'rule', 'must have an occurrence: there is none, or none within many years of dtstart')]
}
