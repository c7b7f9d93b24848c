/**
 * Windows in time, so that an index finds those that may be open at a moment among any number that are over. A window
 * lies in one or two of the equal spans that time is cut into, of the first length that is no less than its own; the
 * moment lies in one span of each length. So few have a span in common that aren't open, and whoever asks tests those.
 */
import type { NaiveDateTime } from './naive-date-time.js'

/** In days. Longer windows, and those without an end, may be open at any moment. */
const lengths = [1, 8, 64, 512, 4096, 32_768] as const
const always = 'always'

const day = 86_400_000
const dayOf = (moment: string): number => Math.floor(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) / day)

const spanOf = (length: number, days: number): string => `${length}:${Math.floor(days / length)}`

/** The spans of a window, naive date-times each or null for an open side. */
export const spansOf = (start: string | null, end: string | null): readonly string[] => {
  if (start === null || end === null) return [always]
  const [first, last] = [dayOf(start), dayOf(end)]
  const length = lengths.find((each) => each > last - first)
  return length === undefined ? [always] : [...new Set([spanOf(length, first), spanOf(length, last)])]
}

/** The spans that windows have which are open at a moment. */
export const spansAt = (now: NaiveDateTime): readonly string[] => [
  always,
  ...lengths.map((length) => spanOf(length, dayOf(now))),
]
