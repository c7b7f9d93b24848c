/**
 * Time zones by their IANA names, as the runtime knows them. Nothing here depends on the zone or the clock of the
 * machine; a name that isZone refuses makes the other functions throw, since only checked names reach them.
 */
import { Temporal } from 'temporal-polyfill'

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
  // Date-times with a zone in brackets are zones to Temporal, and SystemV/… is known to ICU alone.
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

/** A span begun by putting clocks back shows local times again: until when, and the last one before, in milliseconds. */
type Repeat = { readonly until: number; readonly lastLocal: number }

type Span = {
  readonly from: number
  readonly to: number
  readonly offset: number
  readonly repeat: Repeat | null
}

const spans = new Map<string, Span>()
// Temporal's polyfill looks for the next transition at most three years ahead.
const longestSpan = 366 * 86_400_000

const repeatOf = (zone: string, epochMilliseconds: number, offset: number): Repeat | null => {
  const begun = zonedAt(zone, epochMilliseconds + 1).getTimeZoneTransition('previous')?.epochMilliseconds
  if (begun === undefined) return null
  const before = offsetAt(zone, begun - 1)
  return before > offset ? { until: begun + before - offset, lastLocal: begun + before - 1 } : null
}

/**
 * The span of one offset round an instant, for a clock that moves forward: it is remembered, one a zone, so that the
 * next question costs a comparison.
 */
const spanAt = (zone: string, epochMilliseconds: number): Span => {
  const known = spans.get(zone)
  if (known !== undefined && epochMilliseconds >= known.from && epochMilliseconds < known.to) return known
  const moment = zonedAt(zone, epochMilliseconds)
  const transition = moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity
  const offset = offsetOf(moment)
  const span = {
    from: epochMilliseconds,
    to: Math.min(transition, epochMilliseconds + longestSpan),
    offset,
    repeat: repeatOf(zone, epochMilliseconds, offset),
  }
  spans.set(zone, span)
  return span
}

/** As offsetAt, for a clock that moves forward. */
export const currentOffset = (zone: string, epochMilliseconds: number): number =>
  spanAt(zone, epochMilliseconds).offset

/**
 * The latest local time, in milliseconds, that the zone's clocks have shown by an instant: where they were put back
 * and show an hour again, the end of that hour.
 */
export const reachedLocal = (zone: string, epochMilliseconds: number): number => {
  const { offset, repeat } = spanAt(zone, epochMilliseconds)
  return repeat !== null && epochMilliseconds < repeat.until ? repeat.lastLocal : epochMilliseconds + offset
}

/**
 * The local times that the zone skips round this one, `from` included, `to` not, as `YYYY-MM-DDTHH:MM:SS`; null
 * where this one exists.
 */
export const skippedAround = (
  zone: string,
  local: string,
): { readonly from: string; readonly to: string } | null => {
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
 * The instant of a local time, in whole milliseconds since 1970. Of a time that comes twice it is the earlier; a time
 * that the zone skips is taken as if the clocks had not yet been put forward.
 */
export const instantAt = (zone: string, local: string): number =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
