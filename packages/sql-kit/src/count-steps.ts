/** The steps of group counts: each count is a row of a group and a text, to which changes of documents add. */
import type { Dialect } from './dialect.js'
import { differIn, type Entries, valuesOf, without } from './entries.js'
import { textBytes, type Steps } from './statement.js'
import type { CollectionLayout, CountTable } from './layout.js'
import { batches, rowSteps } from './row-steps.js'

/** A change of a document, whose entries are null before it is inserted and after it is removed. */
export type CountChange = {
  readonly layout: CollectionLayout
  readonly instance: number
  readonly before: Entries | null
  readonly after: Entries | null
}

/** The values of the keys of a group, and a text. */
type CountedRow = readonly Uint8Array[]

const compareRows = (a: CountedRow, b: CountedRow): number => {
  for (const [i, bytes] of a.entries()) {
    const difference = Buffer.compare(bytes, b[i] ?? bytes)
    if (difference !== 0) return difference
  }
  return 0
}

const rowsOf = ({ columns }: CountTable, entries: Entries | null, texts: readonly string[]): CountedRow[] => {
  const group = entries === null ? [] : valuesOf(entries, columns)
  return texts.map((text) => [...group, textBytes(text)])
}

type Added = { readonly instance: number; readonly row: CountedRow; readonly documents: number }

export const countSteps = (dialect: Pick<Dialect, 'placeholder' | 'insertOrAdd'>) => {
  const { blind, insertRows } = rowSteps(dialect.placeholder)

  function* addRows({ table, columns }: CountTable, added: readonly Added[]): Steps<void> {
    const key = ['instance', ...columns.map(({ column }) => column), 'text'].join(', ')
    yield* insertRows(
      added.map(({ instance, row, documents }) => [instance, ...row, documents]),
      (values) => dialect.insertOrAdd(table, key, values),
    )
  }

  /** Deletes the counts of texts in the group of a document that have become zero. */
  function* deleteEmptyCounts(
    instance: number,
    { table, columns }: CountTable,
    texts: readonly string[],
    group: readonly Uint8Array[],
  ): Steps<void> {
    for (const batch of batches(texts))
      yield blind((parameters) => {
        const tests = [
          `instance = ${parameters.add(instance)}`,
          ...columns.map(({ column }, i) => `${column} = ${parameters.add(group[i] ?? null)}`),
          `text IN (${parameters.addAll(batch.map(textBytes))})`,
        ]
        return `DELETE FROM ${table} WHERE ${tests.join(' AND ')} AND documents <= 0`
      })
  }

  function* changeCounts({ layout, instance, before, after }: CountChange): Steps<void> {
    for (const table of layout.counts) {
      const old = before?.lists.get(table.key) ?? []
      const current = after?.lists.get(table.key) ?? []
      const moves = before !== null && after !== null && differIn(before, after, table.columns)
      const gone = moves ? old : without(old, current)
      const come = moves ? current : without(current, old)
      const rows = [
        ...rowsOf(table, before, gone).map((row) => ({ instance, row, documents: -1 })),
        ...rowsOf(table, after, come).map((row) => ({ instance, row, documents: 1 })),
      ]
      // In one order, so that of two writers one waits for the other, and not each for the other.
      yield* addRows(
        table,
        rows.toSorted((a, b) => compareRows(a.row, b.row)),
      )
      yield* deleteEmptyCounts(instance, table, gone, before === null ? [] : valuesOf(before, table.columns))
    }
  }

  /**
   * The sum of the counts of documents that one transaction inserts. Some databases keep each version of a row until the
   * transaction has ended, so a row that each document changes would become slower with each.
   */
  const sumOfCounts = () => {
    const tables = new Map<CountTable, Map<string, Added>>()
    return {
      add: ({ layout, instance, after }: CountChange): void => {
        for (const table of layout.counts) {
          const sums = tables.get(table) ?? new Map<string, Added>()
          tables.set(table, sums)
          for (const row of rowsOf(table, after, after?.lists.get(table.key) ?? [])) {
            const name = [instance, ...row.map((bytes) => Buffer.from(bytes).toString('base64'))].join()
            sums.set(name, { instance, row, documents: (sums.get(name)?.documents ?? 0) + 1 })
          }
        }
      },
      *write(): Steps<void> {
        for (const [table, sums] of tables) yield* addRows(table, [...sums.values()])
      },
    }
  }

  return { changeCounts, sumOfCounts }
}
