/**
 * Detects keys that another version of this program has declared on the file, and that this version would not write.
 * Each transaction checks this; the tables are read only when the schema of the file has changed.
 */
import type Database from 'better-sqlite3'
import { quoted } from './key-column.js'
import type { WriterSettings } from './writer-messages.js'

/** Returns the name of the first key column that this program has not declared, or null. */
export const foreignKeyFinder = (
  database: Database.Database,
  keyColumns: WriterSettings['keyColumns'],
): (() => string | null) => {
  const schemaVersion = database.prepare<[], number>('PRAGMA schema_version').pluck()
  const columnsOf = database
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name GLOB 'key_*'")
    .pluck()
  const findForeignKey = (): string | null =>
    Object.entries(keyColumns)
      .flatMap(([table, own]) => columnsOf.all(table).filter((name) => !own.includes(quoted(name))))
      .at(0) ?? null
  const last: { version: number | undefined; foreign: string | null } = { version: undefined, foreign: null }

  return () => {
    const version = schemaVersion.get()
    if (version !== last.version) {
      last.foreign = findForeignKey()
      last.version = version
    }
    return last.foreign
  }
}
