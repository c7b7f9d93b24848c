/**
 * Dates, date-times, durations and periods as clients write them (docs/behaviour/time.md#input): parsed into canonical texts,
 * so that equal times are equal texts, and times sort as texts.
 */
import { E, type Either } from '../fp.js'
import {
  firstLocal,
  instantAt,
  lastLocal,
  lastLocalBeforeRepeat,
  localTime,
  offsetAt,
  repeated,
  skippedAround,
  yearsFault,
  type ClockTime,
  type NaiveDateTime,
} from './naive-date-time.js'

// Days of the calendar, `YYYY-MM-DD`, of the years 0001 to 9999.

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Why a text of the form `YYYY-MM-DD` is not a day; null if the day exists. */
const dayFault = (text: string): string | null => {
  const year = text.slice(0, 4)
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (year === '0000') return `${text} does not exist: years go from 0001 to 9999`
  const name = monthNames[month - 1]
  if (name === undefined) return `${text} does not exist: months go from 01 to 12`
  const length = month === 2 && isLeapYear(Number(year)) ? 29 : (monthLengths[month - 1] ?? 0)
  return day >= 1 && day <= length ? null : `${text} does not exist: ${name} ${year} has ${length} days`
}

/** Whether a text has the form of a day. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Parses a date, `YYYY-MM-DD`. Left: the message for the client. */
export const parseDate = (input: string): Either<string, string> => {
  if (!isDay(input)) return E.left('must be a date such as 2024-05-17 (YYYY-MM-DD)')
  const fault = dayFault(input)
  return fault === null ? E.right(input) : E.left(fault)
}

// ISO 8601 durations; they are validated and stored unchanged.

const number = String.raw`\d+(?:[.,]\d+)?`
const parts = (letters: string): string => Array.from(letters, (letter) => `(?:${number}${letter})?`).join('')
const durationShape = new RegExp(`^P${parts('YMWD')}(?:T${parts('HMS')})?$`)

const expectedDuration = 'must be an ISO 8601 duration such as PT1H30M or P2D'

/**
 * `P[nY][nM][nW][nD][T[nH][nM][nS]]` with at least one component, and one after a `T`. The last number may have
 * decimals, after a period or a comma. Signs and lower-case letters are rejected. Left: the message for the client.
 */
export const parseDuration = (input: string): Either<string, string> => {
  if (!durationShape.test(input)) return E.left(expectedDuration)
  if (input === 'P') return E.left(`${expectedDuration}: it has no number`)
  if (input.endsWith('T')) return E.left(`${expectedDuration}: hours, minutes or seconds must follow the T`)
  if (/[.,]\d+\D+\d/.test(input)) return E.left(`${expectedDuration}: only the last number may have decimals`)
  return E.right(input)
}

/** `from` is included, `to` is not; null for a side without a limit. */
type Period = { readonly from: NaiveDateTime | null; readonly to: NaiveDateTime | null }

const shape =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d+))?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/
const canonical = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,8}[1-9])?$/
const lostPlus = /[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)? \d{2}(?::?\d{2})?$/

const expected =
  'must be a date-time such as 2024-05-17T09:30:00, which may end in Z or an offset such as +02:00, or a date such as 2024-05-17'

const naiveOf = (seconds: string, fraction: string): NaiveDateTime =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand
  (fraction === '' ? seconds : `${seconds}.${fraction}`) as NaiveDateTime

const timeFault = (hour: string, minute: string, second: string, fraction: string): string | null => {
  const time = `${hour}:${minute}:${second}`
  if (hour === '24')
    return `${time} does not exist: hours go from 00 to 23, the end of a day is 00:00 of the next`
  if (Number(hour) > 23) return `${time} does not exist: hours go from 00 to 23`
  if (Number(minute) > 59) return `${time} does not exist: minutes go from 00 to 59`
  if (second === '60') return `${time} does not exist: leap seconds are not counted, seconds go from 00 to 59`
  if (Number(second) > 59) return `${time} does not exist: seconds go from 00 to 59`
  return fraction.length > 9 ? 'must have at most 9 decimals of a second' : null
}

/** An offset in milliseconds, or null if there is no such offset. */
const offsetMilliseconds = (offset: string): number | null => {
  if (offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

const converted = (
  seconds: string,
  fraction: string,
  offset: string,
  zone: string,
): Either<string, NaiveDateTime> => {
  const difference = offsetMilliseconds(offset)
  if (difference === null)
    return E.left(`the offset ${offset} does not exist: offsets go from -23:59 to +23:59`)
  const instant = Date.parse(`${seconds}Z`) - difference
  const local = instant + offsetAt(zone, instant)
  return local < firstLocal || local > lastLocal
    ? E.left(yearsFault)
    : E.right(naiveOf(localTime(local), fraction))
}

const skippedFault = (zone: string, wanted: string): string | null => {
  const skipped = skippedAround(zone, wanted)
  return skipped === null
    ? null
    : `${wanted} does not exist in ${zone}: the clocks were put forward from ${skipped.from} to ${skipped.to}`
}

/**
 * Parses a date-time (docs/behaviour/time.md#input): `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with `T` or one space, at
 * most 9 decimals, optionally with `Z`, `±HH:MM`, `±HHMM` or `±HH`, which is converted to the zone; a bare date is
 * midnight. A day or time that does not exist, in the calendar or because clocks were put forward, is rejected;
 * one that occurs twice is accepted. Left: the message for the client. `zone` has passed `isZone`.
 */
export const parseDateTime = (input: string, zone: string): Either<string, NaiveDateTime> => {
  const groups = shape.exec(input)?.groups
  if (groups === undefined) {
    return E.left(
      lostPlus.test(input) ? `${expected}; the + of an offset is written %2B in an address` : expected,
    )
  }
  const { date = '', hour = '00', minute = '00', second = '00', fraction: decimals = '', offset } = groups
  const fault = dayFault(date) ?? timeFault(hour, minute, second, decimals)
  if (fault !== null) return E.left(fault)
  const seconds = `${date}T${hour}:${minute}:${second}`
  const fraction = decimals.replace(/0+$/, '')
  if (offset !== undefined) return converted(seconds, fraction, offset, zone)
  const skipped = skippedFault(zone, seconds)
  return skipped === null ? E.right(naiveOf(seconds, fraction)) : E.left(skipped)
}

/**
 * The instant that a date-time names, in milliseconds: by its offset, or else in the zone; without a zone, an offset is needed.
 * Left: the message for the client.
 */
export const parseInstant = (input: string, zone: string | null): Either<string, number> => {
  const { offset } = shape.exec(input)?.groups ?? {}
  const time = parseDateTime(input, offset === undefined && zone !== null ? zone : 'UTC')
  if (E.isLeft(time)) return time
  if (offset !== undefined) return E.right(Date.parse(`${time.right}Z`))
  return zone === null
    ? E.left('must end in Z or an offset, such as 2024-05-17T09:30:00+02:00')
    : E.right(instantAt(zone, time.right))
}

/** One side of a period. If clocks skip midnight, midnight is still accepted as the boundary of the day. */
const parseSide = (input: string, zone: string): Either<string, NaiveDateTime | null> => {
  if (input === '') return E.right(null)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(input)) return parseDateTime(input, zone)
  const fault = dayFault(input)
  if (fault !== null) return E.left(fault)
  const midnight = `${input}T00:00:00`
  const skipped = skippedAround(zone, midnight)
  return skipped === null || skipped.to.startsWith(input)
    ? E.right(naiveOf(midnight, ''))
    : E.left(skippedFault(zone, midnight) ?? expected)
}

/**
 * Parses the period of a filter (docs/behaviour/collections.md#periods): `<from>_<to>`, each side a date-time as in parseDateTime, a
 * date (00:00:00 of that day) or empty. A period that ends before it starts is valid and empty. Left: the message for
 * the client, with the side that is wrong.
 */
export const parsePeriod = (input: string, zone: string): Either<string, Period> => {
  const [start, stop, ...more] = input.split('_')
  if (start === undefined || stop === undefined || more.length > 0) {
    return E.left('must be a period such as 2024-05-01_2024-06-01 (<from>_<to>, either side may be empty)')
  }
  const from = parseSide(start, zone)
  if (E.isLeft(from)) return E.left(`the start of the period: ${from.left}`)
  const to = parseSide(stop, zone)
  if (E.isLeft(to)) return E.left(`the end of the period: ${to.left}`)
  return E.right({ from: from.right, to: to.right })
}

/** Whether a text, such as one from a store, is a date-time in its canonical form. Zones are not considered. */
export const isNaiveDateTime = (text: string): text is NaiveDateTime => {
  const date = canonical.exec(text)?.[1]
  return date !== undefined && dayFault(date) === null
}

/**
 * The moment that a date-time with an offset names, if it is in a repeated hour (docs/behaviour/time.md#repeated-hour); null
 * for all others, which are moments themselves.
 */
export const repeatedMoment = (input: string, zone: string): ClockTime | null => {
  const { date, hour, minute, second = '00', offset } = shape.exec(input)?.groups ?? {}
  const difference = offset === undefined ? null : offsetMilliseconds(offset)
  const time = parseDateTime(input, zone)
  if (difference === null || E.isLeft(time)) return null
  const before = lastLocalBeforeRepeat(zone, Date.parse(`${date}T${hour}:${minute}:${second}Z`) - difference)
  return before === null ? null : repeated(before, time.right)
}
