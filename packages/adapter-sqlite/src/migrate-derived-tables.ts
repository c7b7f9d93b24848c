/**
 * Migrates the derived tables of a collection to its declaration. A table that differs, or whose triggers differ, is
 * dropped, created again and filled. If only its indexes differ, only they are changed.
 */
import type Database from 'better-sqlite3'
import { type CollectionLayout, derivedTables } from './collection-layout.js'
import type { DerivedTable } from './derived-table.js'
import { quoted } from './key-column.js'

export type SchemaRow = {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string | null
}

export type DerivedChanges = {
  /** Statements to run before the documents' table is changed. */
  readonly drops: readonly string[]
  /** Tables to fill after all changes of the documents. */
  readonly created: readonly DerivedTable[]
  /** Statements to run last. */
  readonly indexes: readonly string[]
}

/** Documents per statement that fills a table, which limits the size of a sort. */
const documentsPerFill = 1000

/** Whether the name is that of a table derived from this one; names of collections have no dot. */
const isDerivedName = (layout: CollectionLayout, name: string): boolean => name.startsWith(`${layout.table}.`)

export const derivedChanges = (layout: CollectionLayout, schema: readonly SchemaRow[]): DerivedChanges => {
  const found = (type: string): ReadonlyMap<string, string | null> =>
    new Map(
      schema
        .filter((row) => row.type === type && isDerivedName(layout, row.name) && row.sql !== null)
        .map(({ name, sql }) => [name, sql]),
    )
  const [tables, triggers, indexes] = [found('table'), found('trigger'), found('index')]
  const wanted = derivedTables(layout)
  const kept = wanted.filter(
    (derived) =>
      tables.get(derived.name) === derived.sql &&
      derived.triggers.every(({ name, sql }) => triggers.get(name) === sql),
  )
  const keptTriggers = new Set(kept.flatMap((derived) => derived.triggers.map(({ name }) => name)))
  const keptIndexes = new Set(
    kept.flatMap((derived) =>
      derived.indexes.filter(({ name, sql }) => indexes.get(name) === sql).map(({ name }) => name),
    ),
  )
  const dropped = (type: string, names: Iterable<string>, isKept: (name: string) => boolean) =>
    [...names].filter((name) => !isKept(name)).map((name) => `DROP ${type} ${quoted(name)}`)
  return {
    drops: [
      ...dropped('TRIGGER', triggers.keys(), (name) => keptTriggers.has(name)),
      ...dropped('INDEX', indexes.keys(), (name) => keptIndexes.has(name)),
      ...dropped('TABLE', tables.keys(), (name) => kept.some((derived) => derived.name === name)),
    ],
    created: wanted.filter((derived) => !kept.includes(derived)),
    indexes: wanted
      .flatMap((derived) => derived.indexes)
      .filter(({ name }) => !keptIndexes.has(name))
      .map(({ sql }) => sql),
  }
}

/** Creates the tables, fills them from the documents, and then creates the triggers that keep them up to date. */
export const createDerivedTables = (
  database: Database.Database,
  layout: CollectionLayout,
  { created, indexes }: DerivedChanges,
): void => {
  for (const { sql } of created) database.exec(sql)
  if (created.length > 0) {
    const next = database
      .prepare<[number], number | null>(
        `SELECT max(sequence) FROM (SELECT sequence FROM ${quoted(layout.table)} WHERE sequence > ? ORDER BY sequence LIMIT ${documentsPerFill})`,
      )
      .pluck()
    const fills = created.map(({ fill }) => database.prepare(fill))
    let from = 0
    for (let to = next.get(from) ?? null; to !== null; to = next.get(from) ?? null) {
      for (const fill of fills) fill.run(from, to)
      from = to
    }
  }
  for (const { sql } of created.flatMap(({ triggers }) => triggers)) database.exec(sql)
  for (const sql of indexes) database.exec(sql)
}
