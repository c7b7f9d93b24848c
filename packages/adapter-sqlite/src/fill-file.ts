/**
 * Fills a new file with many documents, ten times as fast as a store: the indexes are created after the last
 * document. If the process ends before, the file is unusable.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { Database } from './better-sqlite3.js'
import type { Collection } from '@publishing-service/ports'
import { type FilledDocument, fillSteps, layoutsOf } from '@publishing-service/sql-kit'
import { migrateNow } from './migrate-file.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { sqliteWords } from './sqlite-words.js'
import { analyse, dueAnalyses } from './statistics.js'

/**
 * Creates the file, and returns when the documents are on the disk with all that a store needs to serve them. Throws
 * if the file exists, or if two documents have the same id or uniqueness key.
 */
export const fillSqliteFile = (
  { file, collections }: { readonly file: string; readonly collections: readonly Collection[] },
  documents: Iterable<FilledDocument>,
): void => {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  const words = sqliteWords()
  const dialect = sqliteDialect(words)
  const layouts = layoutsOf(collections, dialect)
  const fill = fillSteps(layouts, dialect, documents)
  const database = new Database(file)
  try {
    // The file does not have to survive a crash before it is complete.
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    database.pragma('temp_store = MEMORY')
    database.pragma('cache_size = -262144')
    migrateNow(database, layouts, words, fill)
    const analyses = dueAnalyses(database)
    for (const [i, sql] of analyses.entries()) analyse(database, sql, i === analyses.length - 1)
  } finally {
    database.close()
  }
  const written = openSync(file, 'r+')
  fsyncSync(written)
  closeSync(written)
}
