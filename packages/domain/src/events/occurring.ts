/** Events by the periods of their occurrences (docs/behaviour/collections.md#occurring). */
import { E, type Either } from '../fp.js'
import { isInRange, type TextRange } from '../resource/filter.js'
import type { CollectionFilter } from '../resource/collection-filter.js'
import type { Viewer } from '../resource/view-context.js'
import { parsePeriod } from '../time/parse-date-time.js'
import { computed } from '../resource/attribute.js'

/** `from` is included, `to` is not. */
export type OccurrencePeriod = { readonly from: string; readonly to: string }

const millisecondsOfDay = 86_400_000

/** 24 hours earlier; empty for a text that is no date-time. */
const dayBefore = (time: string): string => {
  const milliseconds = Date.parse(`${time.slice(0, 19)}Z`)
  return Number.isNaN(milliseconds)
    ? ''
    : new Date(milliseconds - millisecondsOfDay).toISOString().slice(0, 19)
}

export const startOf = (occurrence: string): string => occurrence.slice(0, occurrence.indexOf(' '))
export const endOf = (occurrence: string): string => occurrence.slice(occurrence.indexOf(' ') + 1)

const isLong = (occurrence: string): boolean => startOf(occurrence) < dayBefore(endOf(occurrence))

/** The keys by which occurrences are found. */
export const occurrenceKeys = {
  long_occurrences: computed(
    'intervals',
    'Its occurrences that last longer than a day.',
    ['occurrences'],
    ({ occurrences }: { readonly occurrences: readonly string[] | null }) =>
      (occurrences ?? []).filter(isLong),
  ),
} as const

/** A part of a key of occurrences. */
export type OccurrenceRange = {
  readonly key: 'occurrences' | 'long_occurrences'
  readonly range: TextRange
}

/**
 * The occurrences that overlap a period, as parts of keys: first those that have started before it and have not ended, then
 * those that start in it. By start; no occurrence is in two parts. A search for occurrences that last longer than a day
 * reads all earlier ones, a search for the others only those of a day.
 */
export const overlapping = ({ from, to }: OccurrencePeriod): readonly OccurrenceRange[] => {
  const before = dayBefore(from)
  return [
    { key: 'long_occurrences', range: { atLeast: '', below: before, endsAbove: from } },
    { key: 'occurrences', range: { atLeast: before, below: from, endsAbove: from } },
    { key: 'occurrences', range: { atLeast: from, below: to } },
  ]
}

/** Those of a list of occurrences that overlap a period. */
export const overlappingOf = (
  occurrences: readonly string[],
  { from, to }: OccurrencePeriod,
): readonly string[] =>
  occurrences.filter(
    (each) =>
      isInRange(each, { atLeast: '', below: from, endsAbove: from }) ||
      isInRange(each, { atLeast: from, below: to }),
  )

/** A period with both sides. */
export const parseOccurrencePeriod = (text: string, viewer: Viewer): Either<string, OccurrencePeriod> => {
  const period = parsePeriod(text, viewer.settings.timezone)
  if (E.isLeft(period)) return period
  const { from, to } = period.right
  if (from === null || to === null) return E.left('must have a start and an end: <from>_<to>')
  return from < to ? E.right({ from, to }) : E.left('must end after it starts')
}

export const boundedPeriod = { type: 'string', format: 'period', pattern: '^[^_]+_[^_]+$' } as const

/** Events of which an occurrence overlaps a period. */
export const occurringFilter: CollectionFilter<OccurrenceRange['key']> = {
  description:
    'Only events of which an occurrence overlaps this period: `<from>_<to>`; from is included, to is not.',
  schema: boundedPeriod,
  keys: ['occurrences', 'long_occurrences'],
  parse: (text, viewer) => {
    const period = parseOccurrencePeriod(text, viewer)
    if (E.isLeft(period)) return period
    return E.right([{ anyOf: overlapping(period.right).map(({ key, range }) => [{ key, hasIn: range }]) }])
  },
}
