/**
 * Fills a new file with many documents, ten times as fast as a store: the indexes and the derived tables are created
 * after the last document. If the process ends before, the file is unusable.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type Collection, documentText, type NewDocument } from '@publishing-service/ports'
import { batchApplier } from './apply-batch.js'
import { type CollectionLayout, layoutsOf } from './collection-layout.js'
import { keyColumnNames, keyValues } from './key-values.js'
import { searchesOf } from './search-entries.js'
import { analyse, dueAnalyses } from './statistics.js'
import { migrateSchema } from './migrate-schema.js'
import type { Write } from './writer-messages.js'

export type FilledDocument = {
  readonly collection: string
  readonly instance: number
  readonly document: NewDocument
}

const batchSize = 1000

/** The layout without the indexes and tables that are created after all documents. */
const withoutDerived = (layout: CollectionLayout): CollectionLayout => ({
  ...layout,
  indexes: layout.indexes.filter(({ keys }) => keys === null),
  texts: new Map(),
  groupCounts: [],
  blockRanges: null,
})

const writeOf = (
  layouts: ReadonlyMap<string, CollectionLayout>,
  { collection, instance, document }: FilledDocument,
): Write => {
  const layout = layouts.get(collection)
  if (layout === undefined) throw new Error(`No collection ${collection} was declared`)
  const { light, heavy, value } = documentText(document.value, layout.heavy)
  const { id, unique } = document
  const keys = keyValues(layout, value)
  return {
    kind: 'insert',
    table: layout.table,
    instance,
    id,
    unique,
    version: 0,
    urgent: false,
    keys,
    light,
    heavy,
  }
}

/**
 * Creates the file, and returns when the documents are on the disk with all that a store needs to serve them. Throws
 * if the file exists, or if two documents have the same id or uniqueness key.
 */
export const fillSqliteFile = (
  { file, collections }: { readonly file: string; readonly collections: readonly Collection[] },
  documents: Iterable<FilledDocument>,
): void => {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  const layouts = layoutsOf(collections)
  const all = [...layouts.values()]
  const database = new Database(file)
  try {
    // The file does not have to survive a crash before it is complete.
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -262144')
    migrateSchema(database, all.map(withoutDerived))
    const apply = batchApplier(database, { keyColumns: keyColumnNames(all), searches: searchesOf(all) })
    const write = (batch: readonly Write[]): void => {
      const refused = apply(batch).findIndex((outcome) => outcome !== 'done')
      if (refused !== -1)
        throw new Error(`${file} does not accept ${JSON.stringify(batch[refused]).slice(0, 200)}`)
    }
    let batch: Write[] = []
    for (const document of documents) {
      batch.push(writeOf(layouts, document))
      if (batch.length < batchSize) continue
      write(batch)
      batch = []
    }
    if (batch.length > 0) write(batch)
    migrateSchema(database, all)
    for (const due of dueAnalyses(database)) analyse(database, due)
  } finally {
    database.close()
  }
  const written = openSync(file, 'r+')
  fsyncSync(written)
  closeSync(written)
}
