/** Opens connections to the file of a store, with the settings for durability and speed. */
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Database } from './better-sqlite3.js'
import { sqliteCode } from './sqlite-failure.js'

/** Milliseconds to wait for another process that creates indexes. */
const openTimeout = 60_000

const switchToWriteAheadLog = async (database: Database): Promise<void> => {
  const deadline = performance.now() + openTimeout
  for (;;) {
    try {
      const mode = database.pragma('journal_mode = WAL', { simple: true })
      if (mode === 'wal') return
      throw new Error(`SQLite can't use a write-ahead log here, only the journal mode ${String(mode)}`)
    } catch (error) {
      // While another process switches too, SQLite fails with this code at once, whatever the busy timeout.
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error
    }
    await setTimeout(5)
  }
}

/** Milliseconds that a read waits for a lock, which blocks its thread. */
export const lockTimeout = 1000

/**
 * The connection that reads. First `inspect` may throw to reject the file, and `migrate` may change it. After that the
 * connection is read-only.
 */
export const openReader = async (
  file: string,
  inspect: (database: Database) => void,
  migrate: (database: Database) => Promise<void>,
): Promise<Database> => {
  // SQLite creates the adjacent files with the same permissions.
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { timeout: openTimeout })
  try {
    inspect(database)
    await switchToWriteAheadLog(database)
    database.pragma('synchronous = FULL')
    database.pragma('temp_store = MEMORY')
    await migrate(database)
    database.pragma('query_only = ON')
    database.pragma(`busy_timeout = ${lockTimeout}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * 32 MiB of log between checkpoints: 50 % more inserts per second than with the 4 MiB of SQLite's default, because a page
 * that is written several times between two checkpoints is copied to the file once.
 */
export const pagesBetweenCheckpoints = 8000

/** The connection that writes. With FULL, a commit returns when it is on the disk. */
export const openWriter = (file: string, busyTimeout: number, largestFile: number | null): Database => {
  const database = new Database(file, { timeout: busyTimeout, fileMustExist: true })
  database.pragma('synchronous = FULL')
  database.pragma(`wal_autocheckpoint = ${pagesBetweenCheckpoints}`)
  // After a checkpoint the log is truncated to this size.
  database.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
  database.pragma('temp_store = MEMORY')
  if (largestFile !== null) {
    const pageSize = Number(database.pragma('page_size', { simple: true }))
    database.pragma(`max_page_count = ${Math.max(1, Math.floor(largestFile / pageSize))}`)
  }
  return database
}
