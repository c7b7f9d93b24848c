/** What the next start does with the file of a store. */
import { stat } from 'node:fs/promises'
import type { Collection, ExaminedStore } from '@publishing-service/ports'
import { layoutsOf } from '@publishing-service/sql-kit'
import { Database } from './better-sqlite3.js'
import { examineFile } from './migrate-file.js'
import { lockTimeout } from './open-connection.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { sqliteWords } from './sqlite-words.js'

/**
 * Examines a file for the declared collections, also while services use it. Rejects with an Error if it does not exist, or belongs to another program
 * or to a later version of this one.
 */
export const examineSqliteFile = async (
  { file, collections }: { readonly file: string; readonly collections: readonly Collection[] },
  read: string,
): Promise<ExaminedStore> => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
  try {
    const examined = examineFile(database, layoutsOf(collections, sqliteDialect(sqliteWords())), read)
    const { size: bytes } = await stat(file)
    const isMigrated = examined.collections.some(({ work }) => work !== null)
    return { ...examined, bytes, copied: isMigrated ? bytes : 0 }
  } finally {
    database.close()
  }
}
