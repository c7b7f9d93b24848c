/**
 * Date-times without an offset, in the zone of an instance (docs/behaviour/time.md), computed from instants and compared.
 * Zones have their IANA names, and the data of the runtime; nothing depends on the zone or the clock of the machine. Except
 * for isZone, the functions throw for a name that isZone rejects.
 */
import { Temporal } from 'temporal-polyfill'

declare const naive: unique symbol
/**
 * `YYYY-MM-DDTHH:MM:SS[.fraction]` of the years 0001 to 9999; the fraction has 1 to 9 digits and no zero at its end,
 * and is left out when it is zero.
 */
export type NaiveDateTime = string & { readonly [naive]: true }

declare const onClock: unique symbol
/**
 * A moment as a text that sorts by time: a date-time; or, while local times are repeated after clocks were set back, the
 * last one before, `~` and the date-time, so that it sorts after those of the first time and before the hour that follows.
 */
export type ClockTime = NaiveDateTime | (string & { readonly [onClock]: true })

/** The range of local times, in milliseconds as if they were UTC. */
export const firstLocal = Date.parse('0001-01-01T00:00:00Z')
export const lastLocal = Date.parse('9999-12-31T23:59:59.999Z')
export const yearsFault = 'must be within the years 0001 to 9999'

/** The date-time of local time counted in milliseconds as if it were UTC. Throws a RangeError outside the years. */
export const localTime = (milliseconds: number): NaiveDateTime => {
  if (milliseconds < firstLocal || milliseconds > lastLocal)
    throw new RangeError(`the clock ${yearsFault}: ${milliseconds}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, '') as NaiveDateTime
}

// Zones.

const zonedAt = (zone: string, epochMilliseconds: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone)

const nanosecondsPerMillisecond = 1e6
const offsetOf = (moment: Temporal.ZonedDateTime): number =>
  moment.offsetNanoseconds / nanosecondsPerMillisecond

/**
 * Whether this is the name of a time zone, in its canonical letter case: `Europe/Vienna`, `UTC`. Links such as
 * `Asia/Calcutta` are names too; offsets such as `+01:00` are not.
 */
export const isZone = (name: string): boolean => {
  // Temporal accepts date-times with a zone in brackets as zones, and ICU also knows SystemV/…
  if (!/^(?!SystemV\/)[A-Za-z][A-Za-z0-9_+/-]*$/i.test(name)) return false
  try {
    return zonedAt(name, 0).timeZoneId === name
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The zone's offset from UTC in milliseconds at an instant. */
export const offsetAt = (zone: string, epochMilliseconds: number): number =>
  offsetOf(zonedAt(zone, epochMilliseconds))

/** Local times that repeat after clocks were put back: the instant until which, and the last local time before, in milliseconds. */
type Repeat = { readonly until: number; readonly lastLocal: number }

/** The instants with one offset from UTC, `from` included, `to` not, all in milliseconds. `repeat`: at its start. */
type Span = {
  readonly from: number
  readonly to: number
  readonly offset: number
  readonly repeat: Repeat | null
}

const spans = new Map<string, Span>()
// The polyfill of Temporal searches the next transition at most three years ahead.
const longestSpan = 366 * 86_400_000

/** When the offset of an instant began; undefined if none is known before it. */
const beginOf = (zone: string, epochMilliseconds: number): number | undefined =>
  zonedAt(zone, epochMilliseconds + 1).getTimeZoneTransition('previous')?.epochMilliseconds

const repeatOf = (zone: string, begun: number | undefined, offset: number): Repeat | null => {
  if (begun === undefined) return null
  const before = offsetAt(zone, begun - 1)
  return before > offset ? { until: begun + before - offset, lastLocal: begun + before - 1 } : null
}

/**
 * The span of one offset around an instant. One span for each zone is cached, so that the next call with a later time is
 * usually one comparison.
 */
export const spanAt = (zone: string, epochMilliseconds: number): Span => {
  const known = spans.get(zone)
  if (known !== undefined && epochMilliseconds >= known.from && epochMilliseconds < known.to) return known
  const moment = zonedAt(zone, epochMilliseconds)
  const transition = moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity
  const offset = offsetOf(moment)
  const begun = beginOf(zone, epochMilliseconds)
  const span = {
    from: begun ?? epochMilliseconds,
    to: Math.min(transition, epochMilliseconds + longestSpan),
    offset,
    repeat: repeatOf(zone, begun, offset),
  }
  spans.set(zone, span)
  return span
}

/** A change of the offset of a zone: when, and the offsets before and from then on, all in milliseconds. */
export type OffsetChange = { readonly at: number; readonly before: number; readonly after: number }

/** The changes in years, by zone and year: to find one takes some milliseconds. */
const changesOfYears = new Map<string, readonly OffsetChange[]>()
const mostYears = 10_000

const changesIn = (zone: string, year: number): readonly OffsetChange[] => {
  const key = `${zone} ${year}`
  const known = changesOfYears.get(key)
  if (known !== undefined) return known
  const changes: OffsetChange[] = []
  const end = Date.UTC(year + 1, 0)
  for (let at = Date.UTC(year, 0) - 1; ;) {
    at = zonedAt(zone, at).getTimeZoneTransition('next')?.epochMilliseconds ?? end
    if (at >= end) break
    const [before, after] = [offsetAt(zone, at - 1), offsetAt(zone, at)]
    if (before !== after) changes.push({ at, before, after })
  }
  if (changesOfYears.size >= mostYears) changesOfYears.clear()
  changesOfYears.set(key, changes)
  return changes
}

/** The changes of the offset of a zone in the years (of UTC) from that of one instant to that of another. */
export const offsetChanges = (zone: string, from: number, to: number): readonly OffsetChange[] => {
  const [first, last] = [new Date(from).getUTCFullYear(), new Date(to).getUTCFullYear()]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    changesIn(zone, first + index),
  ).flat()
}

/** The last local time, in milliseconds, before the local times that an instant is in were repeated; null if it is in none. */
export const lastLocalBeforeRepeat = (zone: string, epochMilliseconds: number): number | null => {
  const repeat = repeatOf(zone, beginOf(zone, epochMilliseconds), offsetAt(zone, epochMilliseconds))
  return repeat !== null && epochMilliseconds < repeat.until ? repeat.lastLocal : null
}

/** More than local times differ from UTC, and more than a zone skips, in milliseconds. */
const farFromTransitions = 2 * 86_400_000

/** Whether a local time is so far within the cached span of its zone that clocks are not changed around it. */
const isWithinKnownSpan = (zone: string, local: string): boolean => {
  const known = spans.get(zone)
  if (known === undefined) return false
  const utc = Date.parse(`${local}Z`)
  return utc - farFromTransitions >= known.from && utc + farFromTransitions < known.to
}

/**
 * The range of local times that the zone skips around this one, `from` included, `to` not, as `YYYY-MM-DDTHH:MM:SS`; null
 * if this time exists.
 */
export const skippedAround = (
  zone: string,
  local: string,
): { readonly from: string; readonly to: string } | null => {
  if (isWithinKnownSpan(zone, local)) return null
  const wanted = Temporal.PlainDateTime.from(local)
  if (wanted.toZonedDateTime(zone).toPlainDateTime().equals(wanted)) return null
  const before = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const after =
    before.getTimeZoneTransition('next') ?? wanted.toZonedDateTime(zone, { disambiguation: 'later' })
  const to = after.toPlainDateTime()
  const from = to.add({ nanoseconds: before.offsetNanoseconds - after.offsetNanoseconds })
  return { from: from.toString({ smallestUnit: 'second' }), to: to.toString({ smallestUnit: 'second' }) }
}

/**
 * The instant of a local time, in whole milliseconds since 1970. For a time that occurs twice, the earlier one, or the
 * later one of a moment in a repeated hour (`repeatedMoment`); for a time that the zone skips, as if the clocks had not yet been put forward.
 */
export const instantAt = (zone: string, local: string): number => {
  const [first = '', repeated] = local.split('~')
  return Temporal.PlainDateTime.from(repeated ?? first).toZonedDateTime(zone, {
    disambiguation: repeated === undefined ? 'compatible' : 'later',
  }).epochMilliseconds
}

const minute = 60_000

const twoDigits = (number: number): string => String(number).padStart(2, '0')

const withOffset = (dateTime: string, zone: string): string => {
  const instant = instantAt(zone, dateTime)
  const offset = Math.ceil(offsetAt(zone, instant) / minute)
  const local = new Date(instant + offset * minute).toISOString().slice(0, 19)
  const size = Math.abs(offset)
  const sign = offset < 0 ? '-' : '+'
  return `${local}${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

/** Results of `offsetDateTime` by their arguments: pages and feeds show the same times again, and each takes 40 µs. */
const offsetDateTimes = new Map<string, string>()
const mostOffsetDateTimes = 10_000

/**
 * A date-time of a zone as RFC 3339 writes it, with the offset of the zone at that time and without fractions of a second:
 * `2026-03-01T13:00:00+01:00`. An offset of local mean time, which has seconds, is rounded up to minutes.
 */
export const offsetDateTime = (dateTime: string, zone: string): string => {
  const key = `${zone} ${dateTime}`
  const known = offsetDateTimes.get(key)
  if (known !== undefined) return known
  const made = withOffset(dateTime, zone)
  if (offsetDateTimes.size >= mostOffsetDateTimes) offsetDateTimes.clear()
  offsetDateTimes.set(key, made)
  return made
}

// The clock.

/**
 * The local time in a zone at `epochMilliseconds`. Takes about half a microsecond while the offset of the zone does not
 * change. Throws a RangeError outside the years 0001 to 9999.
 */
export const nowIn = (zone: string, epochMilliseconds: number): NaiveDateTime =>
  localTime(epochMilliseconds + spanAt(zone, epochMilliseconds).offset)

/** A date-time after clocks were set back, `before` being the last local time before. */
export const repeated = (before: number, time: NaiveDateTime): ClockTime =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand
  `${localTime(before)}~${time}` as ClockTime

/** The moment of an instant in a zone: it does not decrease while an hour is repeated. Otherwise like nowIn. */
export const clockTimeIn = (zone: string, epochMilliseconds: number): ClockTime => {
  const { offset, repeat } = spanAt(zone, epochMilliseconds)
  const time = localTime(epochMilliseconds + offset)
  return repeat === null || epochMilliseconds >= repeat.until ? time : repeated(repeat.lastLocal, time)
}

/** A moment in milliseconds since 1970, as text in UTC with milliseconds. Such texts sort by time. */
export const utcTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
