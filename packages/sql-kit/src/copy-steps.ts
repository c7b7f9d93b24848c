/** The steps that insert many documents in one transaction, as a migration does: a statement inserts many rows. */
import { searchLevels } from '@publishing-service/domain/search'
import type { Document } from '@publishing-service/ports'
import { readDocument } from '@publishing-service/ports/document-text'
import { countSteps } from './count-steps.js'
import type { Dialect } from './dialect.js'
import { documentColumns, type DocumentTexts, entriesOf, listRows } from './entries.js'
import type { CollectionLayout } from './layout.js'
import { rowsAtOnce, rowSteps } from './row-steps.js'
import type { Parameter, Steps } from './statement.js'

/** Rows of a table that wait to be inserted. */
type Waiting = { readonly columns: readonly string[]; rows: (readonly Parameter[])[]; size: number }

/** Characters and bytes of the rows that one statement inserts, about. */
const mostSize = 1024 * 1024

const sizeOf = (parameter: Parameter): number =>
  typeof parameter === 'string' || parameter instanceof Uint8Array ? parameter.length : 0

export type CopySteps = {
  /** A document whose id, unique text and position no other has. */
  readonly insert: (
    layout: CollectionLayout,
    instance: number,
    document: DocumentTexts & Pick<Document, 'position' | 'version'>,
  ) => Steps<void>
  /** After the last one. */
  readonly end: () => Steps<void>
}

export const copySteps = (dialect: Dialect): CopySteps => {
  const { insertRows } = rowSteps(dialect.placeholder)
  const counts = countSteps(dialect).sumOfCounts()
  const tables = new Map<string, Waiting>()

  function* flush(table: string, waiting: Waiting): Steps<void> {
    const { columns, rows } = waiting
    waiting.rows = []
    waiting.size = 0
    yield* insertRows(rows, (values) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`)
  }

  function* add(table: string, columns: readonly string[], row: readonly Parameter[]): Steps<void> {
    const waiting = tables.get(table) ?? { columns, rows: [], size: 0 }
    tables.set(table, waiting)
    waiting.rows.push(row)
    for (const each of row) waiting.size += sizeOf(each)
    if (waiting.rows.length === rowsAtOnce || waiting.size >= mostSize) yield* flush(table, waiting)
  }

  return {
    *insert(layout, instance, document) {
      const { position, version } = document
      const value = readDocument(document.light, document.heavy)
      const entries = entriesOf(layout, value)
      const row: readonly (readonly [string, Parameter])[] = [
        ['position', position],
        ...documentColumns(layout, dialect, { instance, version, document, value, entries }),
      ]
      yield* add(
        layout.documents,
        row.map(([name]) => name),
        row.map(([, column]) => column),
      )
      for (const list of layout.lists.values()) {
        const { columns, rows } = listRows(
          list,
          instance,
          position,
          entries.lists.get(list.key) ?? [],
          entries,
        )
        for (const each of rows) yield* add(list.table, columns, each)
      }
      counts.add({ layout, instance, before: null, after: entries })
      if (layout.words !== null)
        yield* dialect.words.put(layout.words, instance, position, value, searchLevels)
    },
    *end() {
      for (const [table, waiting] of tables) yield* flush(table, waiting)
      yield* counts.write()
    },
  }
}
