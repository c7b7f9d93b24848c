/**
 * Refreshes SQLite's statistics, by which it chooses an index where no declared one has the order of a query. SQLite says
 * which tables have grown tenfold since they were analysed.
 */
import type { Database } from './better-sqlite3.js'

/** Rows of an index that are read: enough to tell which of two indexes excludes more. */
const analysedRows = 2000

/** Shows the statements for all tables, also those that no query has read on this connection. */
const showDue = 'optimize(0x10003)'

/** The statements that gather statistics that are missing or out of date; usually none. */
export const dueAnalyses = (database: Database): readonly string[] => {
  const rows = database.prepare<[], string>(`PRAGMA ${showDue}`).pluck().all()
  // The commits are read by their numbers alone.
  return rows.filter((sql) => sql.startsWith('ANALYZE') && !sql.endsWith('"commits"'))
}

/**
 * Gathers the statistics of one table, in milliseconds. Other connections read statistics only with the schema. So after
 * the last table a view is created and dropped, which makes them read both.
 */
export const analyse = (database: Database, sql: string, isLast: boolean): void => {
  database.pragma(`analysis_limit = ${analysedRows}`)
  const run = database.transaction(() => {
    database.exec(sql)
    if (isLast) database.exec('CREATE VIEW statistics_changed AS SELECT 1; DROP VIEW statistics_changed')
  })
  run.immediate()
}
