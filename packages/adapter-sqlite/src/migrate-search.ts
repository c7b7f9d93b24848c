/**
 * Migrates the tables by which words are found to the declaration. If it has changed, they are created again without
 * entries, which are then written while the store is in use.
 */
import type Database from 'better-sqlite3'
import type { CollectionLayout } from './collection-layout.js'
import type { SchemaRow } from './migrate-derived-tables.js'
import { quoted } from './key-column.js'
import { dropSearchTables } from './search-tables.js'

const declarations = (
  database: Database.Database,
  schema: readonly SchemaRow[],
): ReadonlyMap<string, string> =>
  schema.some(({ name }) => name === 'searches')
    ? new Map(
        database.prepare<[], readonly [string, string]>('SELECT name, declaration FROM searches').raw().all(),
      )
    : new Map()

/** The statements that change the tables of a collection, and the declaration that is recorded with them. */
type SearchChange = {
  readonly table: string
  readonly declaration: string | null
  readonly sql: readonly string[]
}

export const searchChanges = (
  database: Database.Database,
  layouts: readonly CollectionLayout[],
  schema: readonly SchemaRow[],
): readonly SearchChange[] => {
  const known = declarations(database, schema)
  return layouts.flatMap(({ name, table, search }): readonly SearchChange[] => {
    const declaration = search?.declaration ?? null
    if ((known.get(table) ?? null) === declaration) return []
    return [{ table, declaration, sql: [...dropSearchTables(name), ...(search?.create ?? [])] }]
  })
}

export const migrateSearch = (
  database: Database.Database,
  layouts: readonly CollectionLayout[],
  schema: readonly SchemaRow[],
): void => {
  const changes = searchChanges(database, layouts, schema)
  if (changes.length === 0) return
  database.exec(
    'CREATE TABLE IF NOT EXISTS searches (name TEXT PRIMARY KEY, declaration TEXT NOT NULL, position INTEGER NOT NULL, is_complete INTEGER NOT NULL) WITHOUT ROWID',
  )
  for (const { table, declaration, sql } of changes) {
    for (const statement of sql) database.exec(statement)
    database.prepare('DELETE FROM searches WHERE name = ?').run(table)
    if (declaration === null) continue
    database
      .prepare(
        `INSERT INTO searches (name, declaration, position, is_complete) SELECT ?, ?, 0, NOT EXISTS (SELECT 1 FROM ${quoted(table)})`,
      )
      .run(table, declaration)
  }
}
