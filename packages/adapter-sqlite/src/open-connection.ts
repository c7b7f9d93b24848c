/** Opens connections to a store's file, each with the settings that its durability and speed rest on. */
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sqliteCode } from './sqlite-failure.js'

/** Milliseconds that opening waits for another process that builds indexes. */
const openTimeout = 60_000

const switchToWriteAheadLog = async (database: Database.Database): Promise<void> => {
  const deadline = performance.now() + openTimeout
  for (;;) {
    try {
      const mode = database.pragma('journal_mode = WAL', { simple: true })
      if (mode === 'wal') return
      throw new Error(`SQLite can't keep a write-ahead log here, only the journal mode ${String(mode)}`)
    } catch (error) {
      // While another process makes the same switch, SQLite answers so at once, whatever the busy timeout.
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error
    }
    await setTimeout(5)
  }
}

/**
 * The connection that reads. Before that, `inspect` may refuse the file by throwing, and `bringUpToDate` may change
 * it; from then on the connection writes no more, and waits a second at most for a lock, since its thread does too.
 */
export const openReader = async (
  file: string,
  inspect: (database: Database.Database) => void,
  migrate: (database: Database.Database) => void,
): Promise<Database.Database> => {
  // SQLite gives the files next to it the same rights.
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { timeout: openTimeout })
  try {
    inspect(database)
    await switchToWriteAheadLog(database)
    database.pragma('synchronous = FULL')
    database.pragma('temp_store = MEMORY')
    migrate(database)
    database.pragma('query_only = ON')
    database.pragma('busy_timeout = 1000')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * 32 MiB of log between checkpoints: half as many more inserts a second as at SQLite's own 4 MiB, since pages that are
 * written again in the meantime reach the file once.
 */
export const pagesBetweenCheckpoints = 8000

/** The connection that commits. FULL: a commit is on the disk before it answers. */
export const openWriter = (
  file: string,
  busyTimeout: number,
  largestFile: number | null,
): Database.Database => {
  const database = new Database(file, { timeout: busyTimeout, fileMustExist: true })
  database.pragma('synchronous = FULL')
  database.pragma(`wal_autocheckpoint = ${pagesBetweenCheckpoints}`)
  // The log is cut back to this once it has been checkpointed, instead of keeping its largest size.
  database.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
  database.pragma('temp_store = MEMORY')
  if (largestFile !== null) {
    const pageSize = Number(database.pragma('page_size', { simple: true }))
    database.pragma(`max_page_count = ${Math.max(1, Math.floor(largestFile / pageSize))}`)
  }
  return database
}
