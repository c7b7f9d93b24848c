/**
 * Whether a recurrence comes about at all, at the cost of some milliseconds whatever its parts are: times of day are
 * left out of the search, for a period of seconds has as many candidates as it has seconds.
 */
import { RRuleTemporal } from 'rrule-temporal'
import { libraryOptions } from './library-options.js'
import type { RecurrenceRule } from './recurrence-rule.js'

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
  YEARLY: 40,
} as const

/** What the library looks at in one search, days that it passes over included. */
const maxCandidates = 5000

/** The first start, as text that begins with its date; null where none is found. */
const firstStart = (rule: RecurrenceRule, dtstart: string, periods: number): string | null => {
  if (!mayMeet(rule)) return null
  let first: string | null = null
  // Without its times a rule may lack the parts that its places are counted among; that was judged before.
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
    // It was searched as far as it is searched, or to the end of the calendar.
    const isOver =
      error instanceof RangeError || (error instanceof Error && error.message.startsWith('Maximum '))
    if (!isOver) throw error
  }
  return first
}

/** A place that is counted from either end, as those that it can have from the first on. */
const placesOf = (place: number, ...counts: readonly number[]): readonly number[] =>
  place > 0 ? [place] : counts.map((count) => place + count + 1)

/** The first week of a year begins up to three days before or behind its first day; others lie at its ends. */
const mayBeInWeek = (day: number, week: number): boolean =>
  (day >= 7 * week - 9 && day <= 7 * week + 3) || (week >= 52 && day <= 3) || (week === 1 && day >= 363)

/** Whether one of a rule's days of the year can be in one of its weeks: the library would look at each day of each year. */
const mayMeet = ({ byyearday, byweekno }: RecurrenceRule): boolean => {
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

/** How many times a rule names in each period that it counts in, or in each day of a longer one. */
const timesOf = ({ freq, byhour, byminute, bysecond }: RecurrenceRule): number => {
  if (freq === 'SECONDLY') return 1
  if (freq === 'MINUTELY') return distinct(bysecond)
  const inAnHour = distinct(byminute) * distinct(bysecond)
  return freq === 'HOURLY' ? inAnHour : distinct(byhour) * inAnHour
}

const hasPlaceUpTo = (places: readonly number[] | null, most: number): boolean =>
  places === null || places.length === 0 || places.some((place) => Math.abs(place) <= most)

const timeless = { until: null, count: null, byhour: null, byminute: null, bysecond: null } as const

type FrequencyOfDays = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** How many days at most a rule names in each period. */
const mostDays = ({ byday, bymonthday }: RecurrenceRule, freq: FrequencyOfDays): number => {
  if (freq === 'DAILY') return 1
  if (freq === 'WEEKLY') return distinct(byday)
  if (freq === 'YEARLY') return 366
  return (byday ?? []).length + (bymonthday ?? []).length === 0 ? 1 : 31
}

/** A rule that counts in days or more: what its days alone say holds, but where it ends on the first of them. */
const comesAboutByDays = (rule: RecurrenceRule, freq: FrequencyOfDays, dtstart: string): boolean => {
  const times = timesOf(rule)
  if (!hasPlaceUpTo(rule.bysetpos, times * mostDays(rule, freq))) return false
  // Among days, the place of the one that holds the place among times.
  const ofDay = (place: number): number => Math.sign(place) * Math.ceil(Math.abs(place) / times)
  const bysetpos = freq === 'DAILY' ? null : (rule.bysetpos?.map(ofDay) ?? null)
  const first = firstStart({ ...rule, ...timeless, bysetpos }, dtstart, searched[freq])
  if (first === null) return false
  const [day, last] = [first.slice(0, 10), rule.until?.slice(0, 10) ?? null]
  if (last === null || last > day) return true
  return last === day && firstStart(rule, dtstart, searched[freq]) !== null
}

/** Whether a start follows from a rule whose parts can stand together, within many years of `dtstart`. */
export const comesAbout = (rule: RecurrenceRule, dtstart: string): boolean => {
  const { freq } = rule
  switch (freq) {
    case 'DAILY':
    case 'WEEKLY':
    case 'MONTHLY':
    case 'YEARLY':
      return comesAboutByDays(rule, freq, dtstart)
    case 'HOURLY':
    case 'MINUTELY':
    case 'SECONDLY': {
      if (!hasPlaceUpTo(rule.bysetpos, timesOf(rule))) return false
      // Its days are those of years: without one of them none has to be searched by the second.
      const days = { ...rule, ...timeless, freq: 'YEARLY', interval: null, bysetpos: null } as const
      return (
        firstStart(days, dtstart, searched.YEARLY) !== null &&
        firstStart(rule, dtstart, searched[freq]) !== null
      )
    }
    case null:
      return false
  }
}
