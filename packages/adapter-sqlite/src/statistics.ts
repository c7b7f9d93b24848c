/**
 * Keeps SQLite's statistics fresh, without which it sorts a million rows where it could read a hundred. A table is
 * due when its documents have doubled: SQLite's own rule, tenfold, let plans go wrong by a factor of thirty.
 */
import type Database from 'better-sqlite3'
import { quoted } from './key-column.js'

/** Documents below which any plan is quick. */
const minDocuments = 500

export type Analysis = {
  readonly table: string
  readonly index: string
  /** The table's insertions so far, noted with its last index. */
  readonly insertions: number
  readonly isLast: boolean
}

type DueTable = { readonly table: string; readonly insertions: number }

const dueTables = `SELECT s.name AS "table", s.seq AS insertions FROM sqlite_sequence s
  LEFT JOIN analyses a ON a.name = s.name WHERE s.seq >= max(${minDocuments}, 2 * coalesce(a.insertions, 0))`

/** The table's own indexes, and those of the texts that follow it, their primary keys too. */
const indexesWithTexts = `SELECT i.name FROM sqlite_schema s JOIN pragma_index_list(s.name) i
  WHERE s.type = 'table' AND (s.name = @table OR s.name GLOB @table || '.texts.*')`

/** What would refresh the statistics that are out of date, index by index; empty most of the time. */
export const dueAnalyses = (database: Database.Database): readonly Analysis[] => {
  const indexesOf = database.prepare<[{ readonly table: string }], string>(indexesWithTexts).pluck()
  return database
    .prepare<[], DueTable>(dueTables)
    .all()
    .flatMap(({ table, insertions }) =>
      indexesOf
        .all({ table })
        .map((index, i, { length }) => ({ table, index, insertions, isLast: i === length - 1 })),
    )
}

/**
 * Gathers the statistics of one index: an eighth of a second at a million documents. Other connections read them
 * with the schema only, so behind the last index the schema changes to and fro, which makes them read it again.
 */
export const analyse = (
  database: Database.Database,
  { table, index, insertions, isLast }: Analysis,
): void => {
  const run = database.transaction(() => {
    database.exec(`ANALYZE ${quoted(index)}`)
    if (!isLast) return
    database
      .prepare(
        'INSERT INTO analyses VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET insertions = excluded.insertions',
      )
      .run(table, insertions)
    database.exec('CREATE VIEW statistics_changed AS SELECT 1; DROP VIEW statistics_changed')
  })
  run.immediate()
}
