/**
 * Brings a file to the declared collections. Of two processes that do so at the same time, one waits for the other. Other
 * work of this thread goes on between the batches of documents that are copied.
 */
import { setImmediate } from 'node:timers/promises'
import type { ExaminedStore, MigrationProgress } from '@publishing-service/ports'
import type { Database } from './better-sqlite3.js'
import {
  type ExaminedTable,
  examineTables,
  type Layouts,
  type Migration,
  migrationOf,
  missingTables,
  plainStatement,
  quoted,
  runSteps,
  type Steps,
} from '@publishing-service/sql-kit'
import { commitsTable } from './commits.js'
import { sqliteDialect, statementRunner } from './sqlite-dialect.js'
import { sqliteWords, type SqliteWords } from './sqlite-words.js'

/** Marks the file as this store's; «PubS» in ASCII. */
const applicationId = 0x50756253
/** Incremented when the meaning of the file's content changes. */
const fileVersion = 3
/** Files of this version have one table for each collection, and its keys as triggers and columns. */
const formerVersion = 2

type Header = { readonly id: unknown; readonly version: number; readonly isEmpty: boolean }

const headerOf = (database: Database): Header =>
  // In one transaction: another process may create the tables at the same time.
  database.transaction(() => ({
    id: database.pragma('application_id', { simple: true }),
    version: Number(database.pragma('user_version', { simple: true })),
    isEmpty: database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined,
  }))()

/** Throws when the file belongs to another program, or to another version of this one. Changes nothing. */
export const rejectForeignFile = (database: Database): void => {
  const { id, version, isEmpty } = headerOf(database)
  if (id === applicationId && (version === fileVersion || version === formerVersion)) return
  if (id === applicationId && version > fileVersion)
    throw new Error(`${database.name} was written by a later version of this program`)
  if (id === applicationId)
    throw new Error(
      `${database.name} was written by a version of this program before its first release, and can't be read`,
    )
  if (id !== 0 || version !== 0 || !isEmpty)
    throw new Error(`${database.name} is a database of another program`)
}

/**
 * Makes the tables of a file of the former version the sources of the migration: their columns get the names of the kit,
 * and what was derived from their documents is dropped.
 */
const adoptFormerTables = (database: Database): void => {
  const named = database.prepare<[string], string>('SELECT name FROM sqlite_schema WHERE type = ?').pluck()
  for (const trigger of named.all('trigger')) database.exec(`DROP TRIGGER ${quoted(trigger)}`)
  const tables = named.all('table')
  const derived = tables.filter((name) =>
    /^documents_.*\.|^search\..*\.(tokens|entries|vocabulary)$/.test(name),
  )
  for (const table of derived) database.exec(`DROP TABLE ${quoted(table)}`)
  const record = database.prepare(
    `INSERT INTO publishing_layouts (name, documents, tables, indexes) VALUES (?, ?, ?, '[]')`,
  )
  for (const name of database.prepare<[], string>('SELECT name FROM collections').pluck().all()) {
    const table = `documents_${name}`
    if (!tables.includes(table)) continue
    database.exec(`ALTER TABLE ${quoted(table)} RENAME COLUMN sequence TO position`)
    database.exec(`ALTER TABLE ${quoted(table)} RENAME COLUMN uniqueness TO unique_text`)
    record.run(name, table, JSON.stringify([table]))
  }
  for (const table of ['collections', 'analyses', 'searches'])
    database.exec(`DROP TABLE IF EXISTS ${quoted(table)}`)
}

/** The collections in a file of the former version. */
const formerTables = (database: Database, layouts: Layouts): readonly ExaminedTable[] => {
  const named = database.prepare<[], string>('SELECT name FROM collections').pluck().all()
  return [...layouts.keys()].map((name) =>
    named.includes(name)
      ? {
          name,
          work: 'rewrite',
          table: `(SELECT sequence AS position, instance, id, version, light, heavy FROM ${quoted(`documents_${name}`)})`,
        }
      : { name, work: 'create', table: null },
  )
}

/** What a migration would do, and the documents of the collection `read`. Changes nothing. */
export const examineFile = (
  database: Database,
  layouts: Layouts,
  read: string,
): Pick<ExaminedStore, 'collections' | 'read'> => {
  rejectForeignFile(database)
  const execute = statementRunner(database)
  const dialect = sqliteDialect(sqliteWords())
  const { version, isEmpty } = headerOf(database)
  const examining = (): Steps<Pick<ExaminedStore, 'collections' | 'read'>> => {
    if (isEmpty) return examineTables(missingTables(layouts), read, dialect)
    return version === formerVersion
      ? examineTables(formerTables(database, layouts), read, dialect)
      : migrationOf(layouts, dialect).examine(read)
  }
  // In one transaction, so that all counts are of one moment.
  return database.transaction(() => runSteps(examining(), execute))()
}

/** The steps of a migration, in its transaction. */
function* migrating(
  database: Database,
  layouts: Layouts,
  migration: Migration,
  words: SqliteWords,
  onProgress: (progress: MigrationProgress) => void,
  fill?: () => Steps<void>,
): Steps<void> {
  rejectForeignFile(database)
  const { version } = headerOf(database)
  yield plainStatement('CREATE TABLE IF NOT EXISTS probes (id INTEGER PRIMARY KEY, taken INTEGER NOT NULL)')
  yield plainStatement('INSERT OR IGNORE INTO probes VALUES (1, 0)')
  yield plainStatement(commitsTable)
  yield* migration.prepare()
  if (version === formerVersion) adoptFormerTables(database)
  yield* migration.migrate(onProgress, fill)
  for (const layout of layouts.values()) {
    if (yield* words.areIndexed(layout)) continue
    yield* words.index(layout)
    yield* words.merge(layout)
  }
  database.pragma(`application_id = ${applicationId}`)
  database.pragma(`user_version = ${fileVersion}`)
}

/** Creates the tables of a new file, filled with documents, without letting other work go on. */
export const migrateNow = (
  database: Database,
  layouts: Layouts,
  words: SqliteWords,
  fill: () => Steps<void>,
): void => {
  const execute = statementRunner(database)
  const migration = migrationOf(layouts, sqliteDialect(words))
  const migrate = database.transaction(() =>
    runSteps(
      migrating(database, layouts, migration, words, () => undefined, fill),
      execute,
    ),
  )
  migrate.immediate()
}

const isCurrent = (
  version: number,
  migration: Migration,
  execute: ReturnType<typeof statementRunner>,
): boolean => version === fileVersion && runSteps(migration.isCurrent(), execute)

/** Whether there is nothing to migrate. Reads only. */
export const isCurrentFile = (database: Database, layouts: Layouts): boolean =>
  isCurrent(
    headerOf(database).version,
    migrationOf(layouts, sqliteDialect(sqliteWords())),
    statementRunner(database),
  )

/** Milliseconds of migration between two turns of the event loop. */
const sliceLength = 20

export const migrateFile = async (
  database: Database,
  layouts: Layouts,
  onProgress: (progress: MigrationProgress) => void,
  /** Called before a file with documents is changed. */
  before: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const words = sqliteWords()
  const execute = statementRunner(database)
  const migration = migrationOf(layouts, sqliteDialect(words))
  const { version, isEmpty } = headerOf(database)
  if (isCurrent(version, migration, execute)) {
    database.exec(commitsTable)
    return
  }
  if (!isEmpty) await before()
  database.exec('BEGIN IMMEDIATE')
  try {
    const steps = migrating(database, layouts, migration, words, onProgress)
    let [step, turn] = [steps.next(), performance.now()]
    while (step.done !== true) {
      step = steps.next(execute(step.value))
      if (performance.now() - turn < sliceLength) continue
      await setImmediate()
      turn = performance.now()
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}
