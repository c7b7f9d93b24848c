/**
 * The occurrences of an event: its rule expanded in the zone of the instance, with its further starts and without those
 * that are left out (docs/behaviour/content.md#occurrences).
 */
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { listedOccurrences, type eventAttributes } from '../content/attributes/type-attributes.js'
import type { StateOf } from '../resource/attribute.js'
import { isDay } from '../time/parse-date-time.js'
import { candidatesOf, isOfDays } from './recurrence-faults.js'
import { libraryOptions, lastTimeOf, type RecurrenceRule } from './recurrence-rule.js'

/** The attributes that determine the occurrences of an event. */
export const eventTimes = ['dtstart', 'dtend', 'rrule', 'rdates', 'exdates'] as const
export type EventTimes = Pick<StateOf<typeof eventAttributes>, (typeof eventTimes)[number]>

/** Rules are expanded for this many years after the expansion. */
const horizonYears = 3
/** Rules with a count are expanded for this many years after the expansion or `dtstart`. */
const countedYears = 100
/** A list that ends at the horizon is renewed after this many months. */
const renewalMonths = 6
/** A list with the maximum number of occurrences is renewed when this many of them have started. */
const renewalStarts = 10

/** The time of the renewal of a list that contains all occurrences. */
export const neverDue = '9999-12-31T23:59:59'

/** `occurrences`: texts `start end`, by start. `due`: when the list must be renewed. */
export type Occurrences = { readonly occurrences: readonly string[]; readonly due: string }

/** The shortest duration of each period, in milliseconds. */
const periods = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: 86_400_000,
  WEEKLY: 604_800_000,
  MONTHLY: 2_419_200_000,
  YEARLY: 31_536_000_000,
} as const

/** The maximum number of candidates in the first step of an expansion. */
const firstStep = 40
/** A step with fewer occurrences is followed by one of double the length, unless that was too long before. */
const fewOccurrences = 20
/**
 * The maximum number of candidates that the library tests in a step, so that it lasts less than 50 ms. A step with more is repeated with a sixteenth of its length.
 */
const maxCandidates = 1500
/** An expansion with more of these repetitions ends. */
const maxRepetitions = 6

/** Naive date-times as milliseconds, which are counted as in UTC. */
const timeOf = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`)
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 19)

const endOfCalendar = timeOf(neverDue)

const zoned = (zone: string, time: number) => ({
  timeZoneId: zone,
  toString: () => `${textOf(time)}[${zone}]`,
})

/** The naive start of an occurrence, from its text with offset and zone. */
const naive = (occurrence: { readonly toString: () => string }): string =>
  occurrence.toString().replace(/(?:[+-]\d\d:\d\d(?::\d\d)?|Z)\[.*/, '')

/** At least one second. */
const wholeSeconds = (milliseconds: number): number => Math.max(1000, Math.floor(milliseconds / 1000) * 1000)

/** Whether the library ended a search at a limit, or at the end of the calendar. */
const isLimit = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.message.startsWith('Maximum '))

/**
 * Up to `max` starts, from `from` in the direction of `to`, which is not included itself. Works in steps of some
 * milliseconds.
 */
function* startsBetween(
  rule: RecurrenceRule,
  recurrence: RRuleTemporal<{ timeZoneId: string }>,
  zone: string,
  { from, to, max }: { readonly from: number; readonly to: number; readonly max: number },
): Generator<undefined, readonly string[]> {
  const isForward = to > from
  const period = periods[rule.freq ?? 'DAILY'] * (rule.interval ?? 1)
  let length = wholeSeconds((period * firstStep) / candidatesOf(rule))
  let longest = Number.POSITIVE_INFINITY
  let repetitions = 0
  let at = from
  let starts: readonly string[] = []
  while (at !== to && starts.length < max) {
    const next = isForward ? Math.min(at + length, to) : Math.max(at - length, to)
    const [first, last] = isForward ? [at, next] : [next, at]
    try {
      const found = recurrence
        .between(zoned(zone, first), zoned(zone, last), true)
        .map(naive)
        .filter((start) => start >= textOf(first) && start < textOf(last))
      starts = isForward ? [...starts, ...found] : [...found, ...starts]
      at = next
      if (found.length < fewOccurrences) length = Math.min(length * 2, longest)
    } catch (error) {
      if (!isLimit(error)) throw error
      repetitions += 1
      if (repetitions > maxRepetitions) break
      longest = wholeSeconds(length / 2)
      length = wholeSeconds(length / 16)
    }
    yield
  }
  return isForward ? starts.slice(0, max) : starts.slice(-max)
}

/** A local time that clocks skip as the time that the offset before the change leads to. */
const existing = (time: string, zone: string): string =>
  Temporal.PlainDateTime.from(time).toZonedDateTime(zone).toPlainDateTime().toString()

/** The rule with the time of day of its start, which the library would otherwise move if the zone skips the start. */
const withTimeOf = (rule: RecurrenceRule, dtstart: string): RecurrenceRule => {
  const [hour, minute, second] = dtstart.slice(11, 19).split(':').map(Number)
  const or = (parts: readonly number[] | null, part = 0) =>
    parts === null || parts.length === 0 ? [part] : parts
  return {
    ...rule,
    byhour: or(rule.byhour, hour),
    byminute: or(rule.byminute, minute),
    bysecond: or(rule.bysecond, second),
  }
}

/** The starts of a rule within the limits. */
function* startsOfRule(
  rule: RecurrenceRule,
  dtstart: string,
  zone: string,
  now: number,
  horizon: number,
): Generator<undefined, readonly string[]> {
  const isMoved = isOfDays(rule.freq) && existing(dtstart, zone) !== dtstart
  // The starts of a rule with a count are counted here, step by step.
  const counted = { ...(isMoved ? withTimeOf(rule, dtstart) : rule), count: null }
  const recurrence = new RRuleTemporal({
    ...libraryOptions(counted, dtstart, zone),
    strict: false,
    cache: false,
    includeDtstart: true,
    maxIterations: maxCandidates,
    maxCandidateEvaluations: maxCandidates,
  })
  const { past, future } = listedOccurrences
  const { count } = rule
  const first = timeOf(dtstart)
  // Occurrences can only be counted from the first one.
  const earlier = count === null ? { from: now, to: first, max: past } : { from: first, to: now, max: count }
  const before = first < now ? yield* startsBetween(rule, recurrence, zone, earlier) : []
  const from = Math.max(first, now)
  const following =
    count === null
      ? { from, to: horizon, max: future }
      : {
          from,
          to: Math.min(from + countedYears * periods.YEARLY, endOfCalendar),
          max: Math.min(future, count - before.length),
        }
  const after = from < following.to ? yield* startsBetween(rule, recurrence, zone, following) : []
  return [...before, ...after]
}

const later = (time: number, duration: { readonly years?: number; readonly months?: number }): number =>
  timeOf(Temporal.PlainDateTime.from(textOf(time)).add(duration).toString())

/** The end of each occurrence: that of a duration in local time after its start. */
const endsAfter = (dtstart: string, dtend: string | null): ((start: string) => string) => {
  if (dtend === null || dtend <= dtstart) return (start) => start
  const duration = Temporal.PlainDateTime.from(dtstart).until(dtend)
  return (start) => {
    const end = Temporal.PlainDateTime.from(start).add(duration).toString()
    // Years from 10000 on start with a sign.
    return end.startsWith('+') ? neverDue : end
  }
}

/** The starts of `rdates`. A day has a start at the time of `dtstart`, unless the zone skips that. */
export const furtherStarts = (rdates: readonly string[], dtstart: string, zone: string): readonly string[] =>
  rdates.flatMap((each) => {
    if (!isDay(each)) return each
    const start = `${each}${dtstart.slice(10)}`
    return existing(start, zone) === start ? start : []
  })

/**
 * The occurrences of an event around `now`, at most 1000. Works in steps of some milliseconds; the generator yields after
 * each of them.
 */
export function* expandOccurrences(
  { dtstart, dtend, rrule, rdates, exdates }: EventTimes,
  zone: string,
  now: string,
): Generator<undefined, Occurrences> {
  if (dtstart === null) return { occurrences: [], due: neverDue }
  const { past, future } = listedOccurrences
  const horizon = later(timeOf(now), { years: horizonYears })
  const ofRule = rrule === null ? [] : yield* startsOfRule(rrule, dtstart, zone, timeOf(now), horizon)
  const excluded = new Set((exdates ?? []).map((each) => (isDay(each) ? each : existing(each, zone))))
  const first = rrule === null ? dtstart : existing(dtstart, zone)
  const starts = [...new Set<string>([first, ...ofRule, ...furtherStarts(rdates ?? [], dtstart, zone)])]
    .filter((start) => !excluded.has(start) && !excluded.has(start.slice(0, 10)))
    .toSorted()
  const following = starts.filter((start) => start >= now)
  const listed = [...starts.filter((start) => start < now).slice(-past), ...following.slice(0, future)]
  const endOf = endsAfter(dtstart, dtend)
  const occurrences = listed.map((start) => `${start} ${endOf(start)}`)
  const last = rrule === null ? null : lastTimeOf(rrule)
  const isUnlimited = rrule !== null && rrule.count === null && (last === null || timeOf(last) >= horizon)
  if (following.length >= future) return { occurrences, due: following[renewalStarts - 1] ?? neverDue }
  return { occurrences, due: isUnlimited ? textOf(later(timeOf(now), { months: renewalMonths })) : neverDue }
}
