/**
 * A document store with the least dialect: SQLite in memory, without its full-text index. It shows what a dialect and a store
 * consist of, and tests the parts of the kit that the dialects of this repository do not use.
 */
import { setImmediate } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { E } from '@publishing-service/domain/fp'
import {
  type Collection,
  countedUses,
  type DocumentStore,
  portFailure,
  snapshotWithoutMoment,
} from '@publishing-service/ports'
import {
  commonStatements,
  type Dialect,
  layoutsOf,
  migrationOf,
  type Result,
  type Row,
  runSteps,
  sqlDocumentStore,
  type Statement,
  wordRows,
  WriteSteps,
} from '@publishing-service/sql-kit'

const base = {
  types: { bytes: () => 'BLOB', integer: 'INTEGER', position: 'INTEGER', name: 'TEXT', document: 'TEXT' },
  placeholder: () => '?',
  clustered: ' WITHOUT ROWID',
} as const

export const exampleDialect: Dialect = {
  ...base,
  ...commonStatements,
  nameParameter: (text) => text,
  nameFrom: String,
  textSql: (column) => `CAST(${column} AS TEXT)`,
  indexEnd: ', position',
  readIndex: () => '',
  lockRow: '',
  shareRow: '',
  lockTable: null,
  errorsEndTransactions: 'none',
  indexesCompareRows: false,
  declaredIndexes: null,
  selective: null,
  positionsFrom: (parameter) => `SELECT value FROM json_each(${parameter})`,
  readPositions: '',
  commitOrder: null,
  words: wordRows(base),
}

const part = 'document store'

const runner =
  (database: Database.Database) =>
  ({ sql, parameters }: Statement): Result => {
    const statement = database.prepare<unknown[], Row>(sql)
    if (statement.reader) return { rows: statement.raw().all(...parameters), changes: 0 }
    return { rows: [], changes: statement.run(...parameters).changes }
  }

/** Opens the store on a database, which several stores can share. */
export const exampleStore = (
  database: Database.Database,
  collections: readonly Collection[],
): DocumentStore => {
  const execute = runner(database)
  const layouts = layoutsOf(collections, exampleDialect)
  const { prepare, migrate } = migrationOf(layouts, exampleDialect)
  runSteps(prepare(), execute)
  database
    .transaction(() =>
      runSteps(
        migrate(() => undefined),
        execute,
      ),
    )
    .immediate()
  const writes = new WriteSteps(exampleDialect, layouts)
  const uses = countedUses(portFailure(part, 'it is closed'), (error) => {
    // The tables of another declaration: another process has migrated the documents.
    if (error instanceof Error && error.message.startsWith('no such table')) return portFailure(part, error)
    throw error
  })
  const members = sqlDocumentStore(
    { layouts, dialect: exampleDialect, largestDocument: 1024 * 1024 },
    {
      read: (steps) => uses.use(async () => E.right(runSteps(steps(), execute))),
      write: (requested) =>
        uses.use(async () => {
          let isWritten = false
          database.exec('BEGIN IMMEDIATE')
          try {
            const outcome = runSteps(writes.write(requested), execute)
            isWritten = 'positions' in outcome
            return E.right(outcome)
          } finally {
            database.exec(isWritten ? 'COMMIT' : 'ROLLBACK')
          }
        })(),
    },
  )
  return {
    ...members,
    // Databases in memory have no second connection, whose transaction would read one moment.
    snapshot: () => uses.use(async () => E.right(snapshotWithoutMoment(members))),
    check: () => uses.use(async () => E.right(undefined)),
    close: async () => {
      await uses.close()
      // The callers of the last uses continue first.
      await setImmediate()
    },
  }
}
