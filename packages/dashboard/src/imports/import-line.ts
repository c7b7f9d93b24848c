/** The lines of the report of an import. */
import type { ImportOutcome } from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import { isJsonObject, listOf, textOf } from '../json.js'

export type LineFault = { readonly path: string; readonly message: string }

export type LineNote = {
  readonly line: number | null
  /** Whether the line is one of the text, and not of the file. */
  readonly isInBody: boolean
  readonly text: string
}

export type ImportLine = {
  readonly number: number
  readonly source: string
  readonly title: string | null
  readonly line: number | null
  readonly collection: string | null
  readonly object: string | null
  readonly outcome: string
  readonly faults: readonly LineFault[]
  readonly notes: readonly LineNote[]
}

export const lineFields = [
  'number',
  'source',
  'title',
  'line',
  'collection',
  'object',
  'outcome',
  'faults',
  'notes',
] as const satisfies readonly (keyof ImportLine)[]

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A row of the report. */
export const importLine = (row: JsonObject): ImportLine => ({
  number: Number(row['number']),
  source: String(row['source']),
  title: textOf(row['title']),
  line: numberOf(row['line']),
  collection: textOf(row['collection']),
  object: textOf(row['object']),
  outcome: String(row['outcome']),
  faults: listOf(row['faults'])
    .filter(isJsonObject)
    .map(({ path, message }) => ({ path: textOf(path) ?? '', message: String(message) })),
  notes: listOf(row['notes'])
    .filter(isJsonObject)
    .map((note) => ({
      line: numberOf(note['line']),
      isInBody: note['in'] === 'body',
      text: String(note['text']),
    })),
})

const withoutObject: ReadonlySet<string> = new Set<ImportOutcome>(['refused', 'not_taken_over'])

/**
 * The path of the page of an object below the instance. Null if a line has none: nothing of it was written, or its collection
 * is not one of these.
 */
export const objectPath = (
  { collection, object, outcome }: Pick<ImportLine, 'collection' | 'object' | 'outcome'>,
  collections: readonly string[],
): string | null => {
  if (collection === null || object === null || withoutObject.has(outcome)) return null
  if (!collections.includes(collection)) return null
  // All homepages are on one page.
  return collection === 'homepage' ? collection : `${collection}/${object}`
}

/** The outcomes in the order in which one looks at them: what was refused first. */
export const refusedFirst = (outcomes: readonly ImportOutcome[]): readonly ImportOutcome[] => [
  ...outcomes.filter((outcome) => outcome === 'refused'),
  ...outcomes.filter((outcome) => outcome !== 'refused'),
]

export const allOutcomes = 'all'

/** The filter of a report: the requested one, else what was refused if there is something, else all. */
export const shownOutcome = (
  requested: string | null,
  outcomes: readonly ImportOutcome[],
  refused: number,
): ImportOutcome | typeof allOutcomes => {
  if (requested === allOutcomes) return allOutcomes
  const initial = refused > 0 ? 'refused' : allOutcomes
  return outcomes.find((outcome) => outcome === requested) ?? initial
}
