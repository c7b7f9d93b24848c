import { instantAt, offsetAt } from './zone.js'

const minute = 60_000

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/**
 * A date-time of a zone as RFC 3339 writes it, with the offset of the zone at that time and without fractions of a second:
 * `2026-03-01T13:00:00+01:00`. An offset of local mean time, which has seconds, is rounded up to minutes.
 */
export const offsetDateTime = (dateTime: string, zone: string): string => {
  const instant = instantAt(zone, dateTime)
  const offset = Math.ceil(offsetAt(zone, instant) / minute)
  const local = new Date(instant + offset * minute).toISOString().slice(0, 19)
  const size = Math.abs(offset)
  const sign = offset < 0 ? '-' : '+'
  return `${local}${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
