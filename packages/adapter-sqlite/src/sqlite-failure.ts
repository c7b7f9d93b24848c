/** Distinguishes SQLite's errors of the environment (disk, locks, file) from those that only a defect can cause. */
import { Database } from './better-sqlite3.js'
// Not from the index, which loads the domain: that costs the writer's thread 10 MB and 0.15 s of processor time.
import { type PortFailure, portFailure, storageFull } from '@publishing-service/ports/port-failure'

/** The name of this store in failures. */
export const part = 'document store'

/** The store is closed. */
export const closed = portFailure(part, 'it is closed')

/** SQLite's primary result codes for failures of the environment. */
const environmentCodes: ReadonlySet<string> = new Set([
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_FULL',
  'SQLITE_INTERRUPT',
  'SQLITE_IOERR',
  'SQLITE_LOCKED',
  'SQLITE_NOMEM',
  'SQLITE_NOTADB',
  'SQLITE_PERM',
  'SQLITE_PROTOCOL',
  'SQLITE_READONLY',
])

/** `SQLITE_IOERR_FSYNC` → `SQLITE_IOERR`; null for an error that isn't SQLite's. */
export const sqliteCode = (error: unknown): string | null =>
  error instanceof Database.SqliteError ? error.code.split('_', 2).join('_') : null

/** Another process has moved the documents to tables of another declaration. */
const isMoved = ({ message }: Error): boolean => message.startsWith('no such table')

/** The failure of the port; null for a defect, which the caller throws again. */
export const sqliteFailure = (error: unknown): PortFailure | null => {
  const code = sqliteCode(error)
  if (code === null || !(error instanceof Database.SqliteError)) return null
  if (isMoved(error))
    return portFailure(part, `another version of this program has changed the file: ${error.message}`)
  if (!environmentCodes.has(code)) return null
  const reason = `${error.code}: ${error.message}`
  return code === 'SQLITE_FULL' ? storageFull(part, reason) : portFailure(part, reason)
}
