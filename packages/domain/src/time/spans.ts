/**
 * Spans of time windows, so that an index finds the windows that may be open at a time without reading those that have
 * ended. Time is divided into spans of several lengths. A window is indexed under the one or two spans that contain it,
 * of the shortest length that is not less than its own. A time is in one span of each length. Few windows that are not
 * open share a span with it, and the caller filters these out.
 */
import type { ClockTime } from './naive-date-time.js'

/** Lengths of spans in days. Longer windows, and those without an end, are indexed as always open. */
const lengths = [1, 8, 64, 512, 4096, 32_768] as const
const always = 'always'

const day = 86_400_000
const dayOf = (moment: string): number => Math.floor(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) / day)

const spanOf = (length: number, days: number): string => `${length}:${Math.floor(days / length)}`

/** The spans of a window; null for a side without a limit. */
export const spansOf = (start: string | null, end: string | null): readonly string[] => {
  if (start === null || end === null) return [always]
  const [first, last] = [dayOf(start), dayOf(end)]
  const length = lengths.find((each) => each > last - first)
  return length === undefined ? [always] : [...new Set([spanOf(length, first), spanOf(length, last)])]
}

/** The spans under which a window that is open at this time can be indexed. */
export const spansAt = (now: ClockTime): readonly string[] => [
  always,
  ...lengths.map((length) => spanOf(length, dayOf(now))),
]
