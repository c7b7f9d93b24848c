/** The driver of SQLite, in the release for the Node of this process: 13 requires Node 22, and 12 serves Node 20. */
import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

const load = createRequire(import.meta.url)

export const Database: typeof BetterSqlite3 = load(
  process.versions.node.startsWith('20.') ? 'better-sqlite3-12' : 'better-sqlite3',
)

/** A connection to a file. */
export type Database = BetterSqlite3.Database
