/** The driver of SQLite, in the release for the Node of this process: 13 requires Node 22, and 12 serves Node 20. */
import type BetterSqlite3 from 'better-sqlite3'

const { default: driver } = process.versions.node.startsWith('20.')
  ? await import('better-sqlite3-12')
  : await import('better-sqlite3')

export const Database: typeof BetterSqlite3 = driver

/** A connection to a file. */
export type Database = BetterSqlite3.Database
