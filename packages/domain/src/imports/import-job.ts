/** Imports that the service runs by itself: their states, and their reports (docs/behaviour/imports.md). */
import { defaulted, stored, type WholeOf } from '../resource/attribute.js'
import { jobAttributes, jobFilters } from '../jobs/job.js'
import { wordsFilter } from '../resource/collection-filter.js'
import type { Queryable } from '../resource/collection-query.js'
import type { Shape } from '../resource/attribute-tables.js'
import {
  readOnly,
  requiredInternal,
  requiredReadOnly,
  serviceNumber,
  serviceText,
  uuidSchema,
} from '../resource/shown-attribute.js'
import { listOf, record } from '../value/record.js'
import { boolean, oneOf } from '../value/scalar.js'
import { uuid } from '../value/text.js'
import { byVariant } from '../value/value-type.js'
import type { JsonObject } from '../json.js'
import { importKinds, importOptionTypes } from './import-options.js'

/** How the import of a record can end. */
export const importOutcomes = [
  'created',
  'replaced',
  'present',
  'completed',
  'refused',
  'not_taken_over',
] as const
export type ImportOutcome = (typeof importOutcomes)[number]

const outcomeDescriptions: Readonly<Record<ImportOutcome, string>> = {
  created: 'Objects that were created.',
  replaced: 'Objects that existed, and were replaced.',
  present: 'Objects that existed, and remain as they were.',
  completed: 'Objects to which links to later objects were added, with a note.',
  refused: 'Objects and records that were refused.',
  not_taken_over: 'Records that have no place in a publication.',
}

const count = (outcome: ImportOutcome) =>
  stored(serviceNumber, outcomeDescriptions[outcome], { required: true })

const counts = record({
  created: count('created'),
  replaced: count('replaced'),
  present: count('present'),
  completed: count('completed'),
  refused: count('refused'),
  not_taken_over: count('not_taken_over'),
})

export const noCounts = {
  created: 0,
  replaced: 0,
  present: 0,
  completed: 0,
  refused: 0,
  not_taken_over: 0,
} as const satisfies Readonly<Record<ImportOutcome, number>>

export const importAttributes = {
  ...jobAttributes,
  kind: stored(oneOf(importKinds), 'What the file is.', { required: true }),
  file_uuid: stored(uuid, 'UUID of the file in the library, with its data.', { required: true }),
  dry_run: defaulted(boolean, false, 'Whether nothing is written: the import is made in memory.'),
  replace: defaulted(
    boolean,
    false,
    'Whether objects that exist are replaced. By default they remain as they are.',
  ),
  fetch: defaulted(
    boolean,
    false,
    'Whether data of files that the file does not contain is fetched from its website.',
  ),
  options: stored(byVariant<JsonObject>(record({}), importOptionTypes), 'Options of the kind.'),
  counts: stored(counts, 'What became of the records.', requiredReadOnly),
  lines: stored(serviceNumber, 'Lines of the report.', requiredInternal),
  results: stored(
    serviceNumber,
    'Results that are counted: an import that goes on does not count them again.',
    requiredInternal,
  ),
} as const

/** An import as it is stored. Times are in milliseconds since 1970. */
export type StoredImport = WholeOf<typeof importAttributes>

export const importShape: Shape = {
  attributes: importAttributes,
  variant: 'kind',
}

export const importRows: Queryable = {
  attributes: importAttributes,
  initialFields: ['uuid', 'kind', 'file_uuid', 'dry_run', 'state', 'created', 'done', 'total'],
  orders: { created: 'created' },
  filters: jobFilters('Imports'),
}

const line = record({
  path: stored(serviceText, 'The attribute; empty for the whole.', { required: true }),
  message: stored(serviceText, 'What is wrong, and what would be right.', { required: true }),
})

const note = record({
  kind: stored(serviceText, 'A short name, such as `shortcode`.', { required: true }),
  line: stored(serviceNumber, 'The line; null if unknown.'),
  in: stored(oneOf(['file', 'body']), 'Where the line is.', { required: true }),
  text: stored(serviceText, 'What is different.', { required: true }),
})

/** The most faults, and notes, of a line. */
export const mostOfLine = 1000

/** A line of the report: a record of which there is something to say. */
export const importLineAttributes = {
  number: stored(serviceNumber, 'Its number, from 1.', requiredReadOnly),
  source: stored(
    serviceText,
    'The kind of record and its id in the file, such as `post 17`.',
    requiredReadOnly,
  ),
  title: stored(serviceText, 'Its title.', readOnly),
  line: stored(serviceNumber, 'Its line in the file; null if the file has no lines.', readOnly),
  collection: stored(serviceText, 'The collection of the object; null if there is none.', readOnly),
  object: stored(
    { ...serviceText, schema: uuidSchema },
    'UUID of the object; null if there is none.',
    readOnly,
  ),
  outcome: stored(oneOf(importOutcomes), 'What became of it.', requiredReadOnly),
  faults: stored(listOf(line, mostOfLine), 'Why it is refused.', readOnly),
  notes: stored(listOf(note, mostOfLine), 'What is different from the source, or worth a look.', readOnly),
  import: stored(serviceText, 'UUID of the import.', requiredInternal),
  instance: stored(serviceNumber, 'The instance.', requiredInternal),
} as const

export const importLineRows: Queryable = {
  attributes: importLineAttributes,
  initialFields: ['number', 'source', 'title', 'line', 'outcome', 'faults', 'notes'],
  orders: { number: 'number' },
  filters: {
    outcome: wordsFilter(
      'outcome',
      'Lines with these outcomes',
      Object.fromEntries(importOutcomes.map((outcome) => [outcome, [outcome]])),
    ),
  },
}

/** Imports of an instance that wait or run. */
export const mostOpenImports = 10

/** Milliseconds for which imports that have ended are retained, with their reports. */
export const importTime = 30 * 86_400_000
