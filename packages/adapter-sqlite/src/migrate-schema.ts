/**
 * Migrates the schema of a file to the declared collections. New tables, keys and indexes are created; keys and indexes
 * that are no longer declared are dropped; documents are never deleted. Of two processes that migrate at the same time,
 * one waits for the other.
 */
import type Database from 'better-sqlite3'
import { documentText, parsedDocument } from '@publishing-service/ports'
import { type CollectionLayout, columnsOf, createTable } from './collection-layout.js'
import { quoted } from './key-column.js'
import { migrateSearch, searchChanges } from './migrate-search.js'
import { derivedChanges, createDerivedTables, type SchemaRow } from './migrate-derived-tables.js'

/** Marks the file as this store's; «PubS» in ASCII. */
const applicationId = 0x50756253
/** Incremented when the meaning of the file's content changes. No earlier version was released. */
const layoutVersion = 2

const readSchema = (database: Database.Database): readonly SchemaRow[] =>
  database.prepare<[], SchemaRow>('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()

/**
 * Throws when the file belongs to another program, or to another version of this one. Changes nothing. Reads in one
 * transaction: another process may create the tables at the same time.
 */
export const rejectForeignFile = (database: Database.Database): void => {
  const { id, version, isEmpty } = database.transaction(() => ({
    id: database.pragma('application_id', { simple: true }),
    version: Number(database.pragma('user_version', { simple: true })),
    isEmpty: readSchema(database).length === 0,
  }))()
  if (id === applicationId && version === layoutVersion) return
  if (id === applicationId && version > layoutVersion)
    throw new Error(`${database.name} was written by a later version of this program`)
  if (id === applicationId)
    throw new Error(
      `${database.name} was written by a version of this program before its first release, and can't be read`,
    )
  if (id !== 0 || version !== 0 || !isEmpty) {
    throw new Error(`${database.name} is a database of another program`)
  }
}

const serviceTables =
  'CREATE TABLE collections (name TEXT PRIMARY KEY, heavy TEXT NOT NULL) WITHOUT ROWID;' +
  // How many insertions each table had when its statistics were gathered.
  'CREATE TABLE analyses (name TEXT PRIMARY KEY, insertions INTEGER NOT NULL) WITHOUT ROWID;' +
  'CREATE TABLE probes (id INTEGER PRIMARY KEY, taken INTEGER NOT NULL);' +
  'INSERT INTO probes VALUES (1, 0)'

const heavyText = ({ heavy }: CollectionLayout): string => JSON.stringify([...heavy].toSorted())

const keyColumnsOf = (database: Database.Database, table: string): readonly string[] =>
  database
    .prepare<[string], { readonly name: string }>(
      "SELECT name FROM pragma_table_info(?) WHERE name GLOB 'key_*'",
    )
    .all(table)
    .map(({ name }) => quoted(name))

/** The statements that change the table of a collection from its current schema to the declared one. */
const changesFor = (
  database: Database.Database,
  layout: CollectionLayout,
  schema: readonly SchemaRow[],
): readonly string[] => {
  const own = schema.filter(({ tbl_name: table }) => table === layout.table)
  const tableSql = own.find(({ type }) => type === 'table')?.sql ?? null
  const table = quoted(layout.table)
  const columns = columnsOf(layout)
  const wanted = new Map(layout.indexes.map(({ name, sql }) => [name, sql]))
  const indexes = new Map(own.filter(({ type }) => type === 'index').map(({ name, sql }) => [name, sql]))
  const kept = columns.filter(({ definition }) => tableSql?.includes(definition) ?? false)
  const dropped = keyColumnsOf(database, layout.table).filter(
    (name) => !kept.some(({ column }) => column === name),
  )
  return [
    ...(tableSql === null ? [createTable(layout)] : []),
    // A column can't be dropped while an index uses it, even if the new index has the same text.
    ...[...indexes]
      .filter(
        ([name, sql]) => wanted.get(name) !== sql || dropped.some((column) => sql?.includes(column) ?? false),
      )
      .map(([name]) => `DROP INDEX ${quoted(name)}`),
    ...dropped.map((column) => `ALTER TABLE ${table} DROP COLUMN ${column}`),
    ...(tableSql === null ? [] : columns)
      .filter((column) => !kept.includes(column))
      .map(({ definition }) => `ALTER TABLE ${table} ADD COLUMN ${definition}`),
  ]
}

/** The statement that sets the columns of new keys from the documents; null if no key is new. */
const fillNewKeys = (layout: CollectionLayout, schema: readonly SchemaRow[]): string | null => {
  const table = schema.find(({ type, name }) => type === 'table' && name === layout.table)
  const added = columnsOf(layout).filter(({ definition }) => table?.sql?.includes(definition) === false)
  if (added.length === 0) return null
  const values = added.map(({ column, expression }) => `${column} = ${expression}`)
  return `UPDATE ${quoted(layout.table)} SET ${values.join(', ')}`
}

const missingIndexes = (layout: CollectionLayout, schema: readonly SchemaRow[]): readonly string[] =>
  layout.indexes
    .filter(({ name }) => !schema.some((row) => row.type === 'index' && row.name === name))
    .map(({ sql }) => sql)

type StoredDocument = { readonly sequence: number; readonly light: string; readonly heavy: string | null }

/** Moves attributes between the light and the heavy text of documents that were written with another declaration. */
const splitAgain = (database: Database.Database, layout: CollectionLayout): void => {
  const table = quoted(layout.table)
  const next = database.prepare<[number], StoredDocument>(
    `SELECT sequence, light, heavy FROM ${table} WHERE sequence > ? ORDER BY sequence LIMIT 500`,
  )
  const rewrite = database.prepare(`UPDATE ${table} SET light = ?, heavy = ? WHERE sequence = ?`)
  for (
    let rows = next.all(0);
    rows.length > 0;
    rows = next.all(rows.at(-1)?.sequence ?? Number.MAX_SAFE_INTEGER)
  ) {
    for (const { sequence, light, heavy } of rows) {
      const text = documentText(parsedDocument(light, heavy), layout.heavy)
      if (text.light !== light || text.heavy !== heavy) rewrite.run(text.light, text.heavy, sequence)
    }
  }
}

const recordedHeavy = (
  database: Database.Database,
  schema: readonly SchemaRow[],
): ReadonlyMap<string, string> =>
  schema.some(({ name }) => name === 'collections')
    ? new Map(
        database
          .prepare<[], { readonly name: string; readonly heavy: string }>(
            'SELECT name, heavy FROM collections',
          )
          .all()
          .map(({ name, heavy }) => [name, heavy]),
      )
    : new Map()

const isDerivedUpToDate = (layout: CollectionLayout, schema: readonly SchemaRow[]): boolean =>
  Object.values(derivedChanges(layout, schema)).every(({ length }) => length === 0)

const isUpToDate = (database: Database.Database, layouts: readonly CollectionLayout[]): boolean => {
  const schema = readSchema(database)
  const heavy = recordedHeavy(database, schema)
  return (
    schema.some(({ name }) => name === 'probes') &&
    searchChanges(database, layouts, schema).length === 0 &&
    layouts.every(
      (layout) =>
        heavy.get(layout.name) === heavyText(layout) &&
        changesFor(database, layout, schema).length === 0 &&
        missingIndexes(layout, schema).length === 0 &&
        isDerivedUpToDate(layout, schema),
    )
  )
}

/** Runs in one immediate transaction, and writes nothing if nothing has changed. */
export const migrateSchema = (database: Database.Database, layouts: readonly CollectionLayout[]): void => {
  if (isUpToDate(database, layouts)) return
  const migrate = database.transaction(() => {
    rejectForeignFile(database)
    if (!readSchema(database).some(({ name }) => name === 'probes')) database.exec(serviceTables)
    database.pragma(`application_id = ${applicationId}`)
    database.pragma(`user_version = ${layoutVersion}`)
    const schema = readSchema(database)
    const heavy = recordedHeavy(database, schema)
    for (const layout of layouts) {
      const derived = derivedChanges(layout, schema)
      for (const change of [...derived.drops, ...changesFor(database, layout, schema)]) database.exec(change)
      const recorded = heavy.get(layout.name)
      if (recorded !== undefined && recorded !== heavyText(layout)) splitAgain(database, layout)
      const filling = fillNewKeys(layout, schema)
      if (filling !== null) database.exec(filling)
      const missing = missingIndexes(layout, readSchema(database))
      for (const sql of missing) database.exec(sql)
      createDerivedTables(database, layout, derived)
      // A new index has no statistics yet.
      if (missing.length + derived.created.length + derived.indexes.length > 0)
        database.prepare('DELETE FROM analyses WHERE name = ?').run(layout.table)
      database
        .prepare(
          'INSERT INTO collections (name, heavy) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET heavy = excluded.heavy',
        )
        .run(layout.name, heavyText(layout))
    }
    migrateSearch(database, layouts, schema)
  })
  migrate.immediate()
}
