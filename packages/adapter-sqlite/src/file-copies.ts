/** Copies of the file of a store, as it is at one moment while others write. */
import { closeSync, openSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { E } from '@publishing-service/domain/fp'
import type { Collection, Snapshot } from '@publishing-service/ports'
import { layoutsOf, sqlSnapshots } from '@publishing-service/sql-kit'
import { Database } from './better-sqlite3.js'
import { rejectForeignFile } from './migrate-file.js'
import { lockTimeout } from './open-connection.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { sqliteSnapshots } from './sqlite-snapshots.js'
import { sqliteWords } from './sqlite-words.js'

/** Pages that are copied before other work of this thread goes on: 2 MiB, some milliseconds. */
const pagesAtOnce = 512

/** Writes a copy to a new file, which is on the disk when this resolves. Rejects with an Error. */
export const copySqliteFile = async (file: string, to: string): Promise<void> => {
  const source = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
  try {
    rejectForeignFile(source)
    // In a transaction that reads, the pages are those of one moment, and no write makes the copy begin again.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_schema').get()
    // Only the owner may read it; SQLite would use the rights of new files.
    closeSync(openSync(to, 'w', 0o600))
    await source.backup(to, { progress: () => pagesAtOnce })
  } finally {
    source.close()
  }
}

/**
 * Copies the file next to it, before it is migrated. The copy gets its name when it is complete, and replaces that of the migration
 * before. Returns its path.
 */
export const copyBeforeMigration = async (file: string): Promise<string> => {
  const [path, unfinished] = [`${file}-before-migration`, `${file}-before-migration-${process.pid}`]
  try {
    await copySqliteFile(file, unfinished)
    await rename(unfinished, path)
    return path
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new Error(`the copy before the migration can't be made: ${String(error)}`, { cause: error })
  }
}

/** The documents of a file that no store has opened. Rejects with an Error if it is not of this version. */
export const readSqliteFile = async (file: string, collections: readonly Collection[]): Promise<Snapshot> => {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    rejectForeignFile(database)
  } finally {
    database.close()
  }
  const dialect = sqliteDialect(sqliteWords())
  const { open } = sqliteSnapshots(file)
  const opened = await sqlSnapshots({ layouts: layoutsOf(collections, dialect), dialect }, open)()()
  if (E.isLeft(opened)) throw new Error(opened.left.reason)
  return opened.right
}
