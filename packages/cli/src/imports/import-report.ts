/** The report of an import: a line of JSON for each record with something to say, and a summary. */
import type { ImportedRecord } from '@publishing-service/application'
import { counted } from '@publishing-service/composition-root'
import type { Json } from '@publishing-service/domain/json'
import { textTable } from '../result-text.js'

type Outcome = ImportedRecord['outcome']

const outcomes: readonly Outcome[] = [
  'created',
  'replaced',
  'present',
  'completed',
  'refused',
  'not_taken_over',
]

/** A record as a line of the report. */
export const reportLine = ({ origin, object, outcome, notes, faults }: ImportedRecord): Json => ({
  source: origin.source,
  title: origin.title,
  line: origin.line,
  collection: object?.collection ?? null,
  uuid: object?.id ?? null,
  outcome,
  faults: faults.map(({ path, message }) => ({ path, message })),
  notes: notes.map(({ kind, line, in: place, text }) => ({ kind, line, in: place, text })),
})

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)

const raise = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Records that a summary names: those that were refused. */
const maxNamed = 20

/** Counts what became of records. */
export class ImportSummary {
  readonly #counts = new Map<Outcome, Map<string, number>>()
  readonly #notes = new Map<string, number>()
  readonly #refused: string[] = []

  add({ origin, object, outcome, notes, faults }: ImportedRecord): void {
    const counts = this.#counts.get(outcome) ?? new Map<string, number>()
    this.#counts.set(outcome, counts)
    raise(counts, object?.collection ?? origin.source.split(' ', 1)[0] ?? '')
    for (const { kind } of notes) raise(this.#notes, kind)
    if (outcome !== 'refused') return
    const place = origin.line === null ? '' : `line ${origin.line}: `
    const why = faults.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    this.#refused.push(`${place}${origin.source} “${origin.title}”: ${why}`)
  }

  get refusedFiles(): number {
    return this.#counts.get('refused')?.get('files') ?? 0
  }

  get refused(): number {
    return this.#refused.length
  }

  get value(): { readonly [name: string]: Json } {
    return {
      ...Object.fromEntries(
        outcomes.map((outcome) => [outcome, Object.fromEntries(this.#counts.get(outcome) ?? [])]),
      ),
      notes: Object.fromEntries(this.#notes),
    }
  }

  get text(): string {
    const rows = outcomes.flatMap((outcome) =>
      [...(this.#counts.get(outcome) ?? [])].map(([collection, count]) => [
        outcome.replaceAll('_', ' '),
        collection,
        String(count),
      ]),
    )
    const more = this.#refused.length - maxNamed
    return [
      rows.length === 0 ? 'The file has nothing to import.' : textTable(['OUTCOME', 'WHAT', 'COUNT'], rows),
      ...(this.#refused.length === 0
        ? []
        : [
            `Refused (${this.#refused.length}):`,
            ...this.#refused.slice(0, maxNamed).map((line) => `  ${line}`),
          ]),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(this.#notes.size === 0
        ? []
        : [
            `${counted(sum(this.#notes), 'note')} on what is different from the source: ` +
              [...this.#notes].map(([kind, count]) => `${kind} ${count}`).join(', '),
          ]),
    ].join('\n')
  }
}
