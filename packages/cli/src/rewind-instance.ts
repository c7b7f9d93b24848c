/** Takes an instance back to a moment, with progress, a report and a summary. */
import {
  listRewound,
  orThrow,
  rewindObjects,
  type ChangedSince,
  type RewindOutcome,
  type RewoundRecord,
} from '@publishing-service/application'
import { counted, type RunOperation } from '@publishing-service/composition-root'
import type { Json } from '@publishing-service/domain/json'
import { openReport } from './open-report.js'
import type { ProgressDisplay } from './progress-display.js'
import { textTable } from './result-text.js'

const outcomes: readonly RewindOutcome[] = [
  'removed',
  'changed',
  'restored',
  'unchanged',
  'refused',
  'not_retained',
]

/** Objects that a summary names: those that are not taken back, or not wholly. */
const mostNamed = 20

const reportLine = ({ collection, id, title, outcome, faults }: RewoundRecord) => ({
  collection,
  uuid: id,
  title,
  outcome,
  faults: faults.map(({ path, message }) => ({ path, message })),
})

/** What became of the objects of an instance. */
export class RewindSummary {
  readonly #kept: ChangedSince['kept']
  readonly #counts = new Map<RewindOutcome, Map<string, number>>()
  readonly #left: RewoundRecord[] = []

  constructor({ kept }: ChangedSince) {
    this.#kept = kept
  }

  add(record: RewoundRecord): void {
    const { outcome, collection, faults } = record
    const counts = this.#counts.get(outcome) ?? new Map<string, number>()
    counts.set(collection, (counts.get(collection) ?? 0) + 1)
    this.#counts.set(outcome, counts)
    if (outcome === 'not_retained' || faults.length > 0) this.#left.push(record)
  }

  /** Whether all objects are as they were. */
  get isWhole(): boolean {
    return this.#left.length === 0
  }

  get value(): { readonly [name: string]: Json } {
    return {
      ...Object.fromEntries(
        outcomes.map((outcome) => [outcome, Object.fromEntries(this.#counts.get(outcome) ?? [])]),
      ),
      kept: this.#kept,
      left: this.#left.map(reportLine),
    }
  }

  get lines(): readonly string[] {
    const rows = outcomes.flatMap((outcome) =>
      [...(this.#counts.get(outcome) ?? [])].map(([collection, count]) => [
        outcome.replaceAll('_', ' '),
        collection,
        String(count),
      ]),
    )
    const left = this.#left.slice(0, mostNamed).map(({ collection, id, title, outcome, faults }) => {
      const why = faults.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
      const name = title === null ? '' : ` “${title}”`
      return `  ${collection}/${id}${name}: ${outcome === 'not_retained' && why === '' ? 'its state is not retained any more' : why}`
    })
    const more = this.#left.length - left.length
    const kept = Object.entries(this.#kept)
    return [
      rows.length === 0 ? 'No object has changed since.' : textTable(['OUTCOME', 'WHAT', 'COUNT'], rows),
      ...(left.length === 0 ? [] : [`Not taken back, or not wholly (${this.#left.length}):`, ...left]),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(kept.length === 0
        ? []
        : [
            `What has no versions stays as it is: ${kept
              .map(
                ([collection, count]) => `${counted(count, 'change')} of ${collection.replaceAll('_', ' ')}`,
              )
              .join(', ')}`,
          ]),
    ]
  }
}

/** Takes an instance back to a time in milliseconds, or finds what would become of its objects. Throws a Failure. */
export const rewindInstance = async (
  run: RunOperation,
  {
    to,
    isTrial,
    report: path,
  }: { readonly to: number; readonly isTrial: boolean; readonly report: string | null },
  update: ProgressDisplay['update'],
): Promise<RewindSummary> => {
  const found = await orThrow(run(listRewound, { to }))
  const report = await openReport(path)
  const summary = new RewindSummary(found)
  try {
    let done = 0
    for await (const record of rewindObjects(run, found, isTrial)) {
      summary.add(record)
      update({ step: 'take back objects', done: (done += 1), total: found.objects.length })
      if (record.outcome !== 'unchanged' || record.faults.length > 0)
        await report.write(JSON.stringify(reportLine(record)))
    }
  } finally {
    await report.close()
  }
  return summary
}
