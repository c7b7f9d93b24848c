/** Describes the file of a store without changing or migrating it. */
import type { Collection, StoreDescription } from '@publishing-service/ports'
import { layoutsOf } from '@publishing-service/sql-kit'
import { Database } from './better-sqlite3.js'
import { isCurrentFile, rejectForeignFile } from './migrate-file.js'
import { lockTimeout } from './open-connection.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { sqliteWords } from './sqlite-words.js'

/** Rejects with an Error if the file cannot be read, or is not of this program or of a later version of it. */
export const describeSqliteFile = async (
  file: string,
  collections: readonly Collection[],
): Promise<StoreDescription> => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
  try {
    rejectForeignFile(database)
    const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get()
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    const isCurrent =
      !isEmpty && isCurrentFile(database, layoutsOf(collections, sqliteDialect(sqliteWords())))
    return {
      server: `SQLite ${version}`,
      // The driver contains the library.
      isTested: true,
      time: null,
      schema: isEmpty ? 'empty' : isCurrent ? 'current' : 'outdated',
    }
  } finally {
    database.close()
  }
}
