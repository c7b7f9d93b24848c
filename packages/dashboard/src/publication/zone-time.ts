import type { Json } from '@publishing-service/domain/json'

/** Times of an instance: texts such as `2026-11-24T08:00:00`, without an offset, in its time zone. */

/** The present time in a zone. */
export const timeIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(now)
    .replace(' ', 'T')

/** The moment at which a day begins in a zone: a time of UTC, without an offset. */
export const startOfDay = (timeZone: string, date: string): string => {
  const local = Date.parse(`${date}T00:00:00Z`)
  const offsetAt = (moment: number) => Date.parse(`${timeIn(timeZone, new Date(moment))}Z`) - moment
  return new Date(local - offsetAt(local - offsetAt(local))).toISOString().slice(0, 19)
}

export const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How far one time is from another, in words such as “in 3 hours”. */
export const distanceText = (locale: string, from: string, to: string): string => {
  const milliseconds = Date.parse(`${to.slice(0, 19)}Z`) - Date.parse(`${from.slice(0, 19)}Z`)
  const [unit, size] = units.find((each) => Math.abs(milliseconds) >= each[1]) ?? units[2]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    Math.round(milliseconds / size),
    unit,
  )
}

/** What the public sees of an object: nothing, or the object from a time on. */
export type Publication = 'draft' | 'live' | 'scheduled'

export const publicationOf = (state: unknown, issued: unknown, now: string): Publication => {
  if (state !== 'published') return 'draft'
  return typeof issued === 'string' && issued > now ? 'scheduled' : 'live'
}

/**
 * What a choice of a publication changes, of an object with this stored `issued`. To publish at once sends no time: the
 * service sets that of the save. A time that has come remains.
 */
export const chosenPublication = (
  choice: Publication,
  stored: Json,
  now: string,
): { readonly state: 'draft' | 'published'; readonly issued: Json } => {
  if (choice === 'draft') return { state: 'draft', issued: stored }
  if (choice === 'scheduled') return { state: 'published', issued: `${now.slice(0, 10)}T23:59:00` }
  return { state: 'published', issued: publicationOf('published', stored, now) === 'live' ? stored : null }
}

/** Where the present time is relative to a period: null if the period has no side. */
export const periodPhase = (
  start: unknown,
  end: unknown,
  now: string,
): 'before' | 'during' | 'after' | null => {
  if (typeof start === 'string' && start > now) return 'before'
  if (typeof end === 'string') return end > now ? 'during' : 'after'
  return typeof start === 'string' ? 'during' : null
}
