/**
 * Migrates a database to the declared collections: creates missing tables and indexes, and copies documents to new tables
 * if their rows depend on something that has changed. All in one transaction, which holds a lock that other migrations
 * wait for. Documents are never deleted.
 */
import {
  documentText,
  type ExaminedStore,
  type MigrationProgress,
  readDocument,
  unreadable,
} from '@publishing-service/ports'
import { copySteps } from './copy-steps.js'
import type { Dialect } from './dialect.js'
import { examineTables } from './examine-steps.js'
import type { DocumentTexts } from './entries.js'
import { type CollectionLayout, indexesOf, type Layouts, layoutsTable } from './layout.js'
import { plainStatement, quoted, type Row, statementsWith, type Steps } from './statement.js'

export type Migration = {
  /** Whether all tables and indexes are as declared. Reads only. The table of layouts exists. */
  readonly isCurrent: () => Steps<boolean>
  /**
   * In a transaction while no other migration runs. `fill` may insert documents into new tables, before their indexes
   * exist, which takes a fraction of the time.
   */
  readonly migrate: (
    onProgress: (progress: MigrationProgress) => void,
    fill?: () => Steps<void>,
  ) => Steps<void>
  /** Creates the table of layouts, if it does not exist. */
  readonly prepare: () => Steps<void>
  /** What `migrate` would do, and the documents of the collection `read`. Reads only. The table of layouts exists. */
  readonly examine: (read: string) => Steps<Pick<ExaminedStore, 'collections' | 'read'>>
}

/** The tables of a collection as they are. */
type Recorded = {
  /** Selects position, instance, id, version, unique text, light, heavy after a position, in this order. */
  readonly table: string
  readonly tables: readonly string[]
  /** The quoted names of tables, by the name of an index. */
  readonly indexes: Readonly<Record<string, string>>
}

/** Documents that are read at once. */
const batchSize = 200

const isText = (value: unknown): value is string => typeof value === 'string'

const tablesIn = (column: Row[number] | undefined): Readonly<Record<string, string>> => {
  const tables: unknown = JSON.parse(String(column))
  const entries = typeof tables === 'object' && tables !== null ? Object.entries(tables) : []
  return Object.fromEntries(entries.map(([index, table]) => [index, String(table)]))
}

const listIn = (column: Row[number] | undefined): readonly string[] => {
  const list: unknown = JSON.parse(String(column))
  return Array.isArray(list) ? list.filter(isText) : []
}

/** The texts of a document by the heavy attributes of the declaration; those of a damaged one as they are. */
const splitAgain = (
  layout: CollectionLayout,
  light: string,
  heavy: string | null,
): Pick<DocumentTexts, 'light' | 'heavy'> => {
  const value = readDocument(light, heavy)
  return value === unreadable ? { light, heavy } : documentText(value, layout.heavy)
}

export const migrationOf = (layouts: Layouts, dialect: Dialect): Migration => {
  const { nameFrom } = dialect

  const statement = statementsWith(dialect.placeholder)

  function* recorded(): Steps<ReadonlyMap<string, Recorded>> {
    const { rows } = yield plainStatement(`SELECT name, documents, tables, indexes FROM ${layoutsTable}`)
    return new Map(
      rows.map(([name, table, tables, indexes]) => [
        String(name),
        { table: String(table), tables: listIn(tables), indexes: tablesIn(indexes) },
      ]),
    )
  }

  const isUpToDate = (layout: CollectionLayout, found: Recorded | undefined): boolean => {
    if (found?.table !== layout.table) return false
    const wanted = indexesOf(layout)
    return (
      wanted.length === Object.keys(found.indexes).length && wanted.every(({ name }) => name in found.indexes)
    )
  }

  function* copy(
    layout: CollectionLayout,
    from: string,
    onProgress: (progress: MigrationProgress) => void,
  ): Steps<void> {
    if (dialect.lockTable !== null) yield plainStatement(dialect.lockTable(quoted(from)))
    const counted = yield plainStatement(`SELECT count(*) FROM ${quoted(from)}`)
    const total = Number(counted.rows[0]?.[0])
    let [last, done] = [-1, 0]
    const { insert, end } = copySteps(dialect)
    for (;;) {
      const { rows } = yield statement(
        (parameters) =>
          `SELECT position, instance, id, version, unique_text, light, heavy FROM ${quoted(from)} WHERE position > ${parameters.add(last)} ORDER BY position LIMIT ${batchSize}`,
      )
      if (rows.length === 0) break
      for (const [position, instance, id = null, version, unique = null, light, heavy = null] of rows) {
        last = Number(position)
        const document = {
          id: nameFrom(id),
          position: last,
          version: Number(version),
          unique: unique === null ? null : nameFrom(unique),
          ...splitAgain(layout, String(light), heavy === null ? null : String(heavy)),
        }
        yield* insert(layout, Number(instance), document)
      }
      done += rows.length
      onProgress({ collection: layout.name, done, total: Math.max(done, total) })
    }
    yield* end()
  }

  /**
   * Drops tables: those that were copied, after the new ones are recorded, and those that an earlier migration has left, on
   * databases that end a transaction with each change of a table.
   */
  function* drop({ table, tables }: Pick<CollectionLayout, 'table' | 'tables'>): Steps<void> {
    yield* dialect.words.drop({ table })
    for (const each of tables) yield plainStatement(`DROP TABLE IF EXISTS ${quoted(each)}`)
  }

  function* record(layout: CollectionLayout): Steps<void> {
    const tables = JSON.stringify(layout.tables)
    const indexes = JSON.stringify(
      Object.fromEntries(indexesOf(layout).map(({ name, table }) => [name, table])),
    )
    yield statement((parameters) => `DELETE FROM ${layoutsTable} WHERE name = ${parameters.add(layout.name)}`)
    yield statement(
      (parameters) =>
        `INSERT INTO ${layoutsTable} (name, documents, tables, indexes) VALUES (${parameters.addAll([layout.name, layout.table, tables, indexes])})`,
    )
  }

  return {
    *prepare() {
      yield plainStatement(
        `CREATE TABLE IF NOT EXISTS ${layoutsTable} (name VARCHAR(200) PRIMARY KEY, documents VARCHAR(64) NOT NULL, tables TEXT NOT NULL, indexes TEXT NOT NULL)`,
      )
    },
    *examine(read) {
      const found = yield* recorded()
      const tables = [...layouts.values()].map((layout) => {
        const { name } = layout
        const known = found.get(name)
        if (known === undefined) return { name, work: 'create', table: null } as const
        const changed = known.table === layout.table ? ('index' as const) : ('rewrite' as const)
        return { name, work: isUpToDate(layout, known) ? null : changed, table: quoted(known.table) }
      })
      return yield* examineTables(tables, read, dialect)
    },
    *isCurrent() {
      const found = yield* recorded()
      return [...layouts.values()].every((layout) => isUpToDate(layout, found.get(layout.name)))
    },
    *migrate(onProgress, fill) {
      const before = yield* recorded()
      const outdated = [...layouts.values()].filter((layout) => !isUpToDate(layout, before.get(layout.name)))
      const isNew = (layout: CollectionLayout): boolean => before.get(layout.name)?.table !== layout.table
      for (const layout of outdated.filter(isNew)) {
        yield* drop(layout)
        yield* layout.create
        const found = before.get(layout.name)
        if (found !== undefined) yield* copy(layout, found.table, onProgress)
      }
      if (fill !== undefined) yield* fill()
      for (const layout of outdated) {
        const existing = isNew(layout) ? {} : (before.get(layout.name)?.indexes ?? {})
        const wanted = indexesOf(layout)
        for (const [name, table] of Object.entries(existing))
          if (!wanted.some((index) => index.name === name))
            yield plainStatement(dialect.dropIndex(quoted(name), table))
        const missing = wanted.filter(({ name }) => !(name in existing))
        for (const table of new Set(missing.map((index) => index.table))) {
          const created = missing.flatMap((index) => (index.table === table ? [index.created] : []))
          yield* dialect.createIndexes(table, created).map(plainStatement)
        }
        yield* record(layout)
        const found = before.get(layout.name)
        // What fills new tables reports that itself.
        if (fill === undefined && (found === undefined || !isNew(layout)))
          onProgress({ collection: layout.name, done: 0, total: 0 })
        if (found !== undefined && isNew(layout)) yield* drop(found)
      }
    },
  }
}
