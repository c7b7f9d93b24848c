/**
 * Fills a new file with many documents, ten times as fast as a store takes them: the indexes, the texts and the
 * tallies are made behind the last one. What is half filled when the process ends is of no use.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type Collection, documentText, type NewDocument } from '@publishing-service/ports'
import { batchApplier } from './apply-batch.js'
import { type CollectionLayout, layoutsOf } from './collection-layout.js'
import { keyColumnNames, keyValues } from './key-values.js'
import { analyse, dueAnalyses } from './statistics.js'
import { migrateSchema } from './migrate-schema.js'
import type { Write } from './writer-messages.js'

export type FilledDocument = {
  readonly collection: string
  readonly instance: number
  readonly document: NewDocument
}

const batchSize = 1000

/** The table with its columns, but without what can be made at once when all documents are there. */
const withoutDerived = (layout: CollectionLayout): CollectionLayout => ({
  ...layout,
  indexes: layout.indexes.filter(({ order }) => order === null),
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
 * Makes the file and answers when the documents are on the disk, with all that a store needs to serve them. Throws
 * where the file exists, or where two documents have the same id or unique text.
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
    // Nothing has to survive a crash before the end.
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -262144')
    migrateSchema(database, all.map(withoutDerived))
    const apply = batchApplier(database, keyColumnNames(all))
    const write = (batch: readonly Write[]): void => {
      const refused = apply(batch).findIndex((outcome) => outcome !== 'done')
      if (refused !== -1)
        throw new Error(`${file} can’t take ${JSON.stringify(batch[refused]).slice(0, 200)}`)
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
