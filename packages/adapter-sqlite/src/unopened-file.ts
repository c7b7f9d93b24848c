/** What the file of a store is before it is opened. Nothing is changed, and services can use the file meanwhile. */
import { stat } from 'node:fs/promises'
import type { Collection, ExaminedStore, StoreDescription } from '@publishing-service/ports'
import { type Layouts, layoutsOf } from '@publishing-service/sql-kit'
import { Database } from './better-sqlite3.js'
import { examineFile, isCurrentFile, rejectForeignFile } from './migrate-file.js'
import { lockTimeout } from './open-connection.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { sqliteWords } from './sqlite-words.js'

/** What `use` returns. Rejects with an Error if there is no file, or one of another program or of a later version of this one. */
const reading = async <A>(
  file: string,
  collections: readonly Collection[],
  use: (database: Database, layouts: Layouts) => A | Promise<A>,
): Promise<A> => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
  try {
    rejectForeignFile(database)
    return await use(database, layoutsOf(collections, sqliteDialect(sqliteWords())))
  } finally {
    database.close()
  }
}

/** Rejects as said above. */
export const describeSqliteFile = (
  file: string,
  collections: readonly Collection[],
): Promise<StoreDescription> =>
  reading(file, collections, (database, layouts) => {
    const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get()
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    return {
      server: `SQLite ${version}`,
      // The driver contains the library.
      isTested: true,
      time: null,
      schema: isEmpty ? 'empty' : isCurrentFile(database, layouts) ? 'current' : 'outdated',
    }
  })

/** What opening the file for these collections does. Rejects as said above. */
export const examineSqliteFile = (
  { file, collections }: { readonly file: string; readonly collections: readonly Collection[] },
  read: string,
): Promise<ExaminedStore> =>
  reading(file, collections, async (database, layouts) => {
    const examined = examineFile(database, layouts, read)
    const { size: bytes } = await stat(file)
    const isMigrated = examined.collections.some(({ work }) => work !== null)
    return { ...examined, bytes, copied: isMigrated ? bytes : 0 }
  })
