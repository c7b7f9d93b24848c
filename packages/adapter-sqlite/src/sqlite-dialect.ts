/** The SQL of SQLite, and how statements and reads are run on a connection. */
import type BetterSqlite3 from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import {
  commonStatements,
  type Dialect,
  type Result,
  type Row,
  type Statement,
  type Words,
  runSteps,
  type Steps,
  textIn,
} from '@publishing-service/sql-kit'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import type { Database } from './better-sqlite3.js'
import { closed, sqliteFailure } from './sqlite-failure.js'

/**
 * SQLite as a dialect of the kit. A parameter is `+?`: SQLite would compare others with the samples of its statistics, and
 * plan a statement anew for each value, which takes longer than to read a document.
 */
export const sqliteDialect = (words: Words): Dialect => ({
  ...commonStatements,
  types: { bytes: () => 'BLOB', integer: 'INTEGER', position: 'INTEGER', name: 'TEXT', document: 'TEXT' },
  placeholder: () => '+?',
  nameParameter: String,
  nameFrom: textIn,
  // To make a text of bytes takes less time there than here.
  textSql: (column) => `CAST(${column} AS TEXT)`,
  clustered: ' WITHOUT ROWID',
  // An entry of an index ends in the number of the row, which is the position.
  indexEnd: '',
  readIndex: (index) => ` INDEXED BY ${index}`,
  // Only one transaction writes at a time.
  lockRow: '',
  shareRow: '',
  lockTable: null,
  errorsEndTransactions: 'none',
  indexesCompareRows: true,
  declaredIndexes: null,
  // SQLite does not consider that a page ends early, and its statistics are of another time.
  selective: 1000,
  positionsFrom: (parameter) => `SELECT value FROM json_each(${parameter})`,
  readPositions: ' NOT INDEXED',
  commitOrder: null,
  words,
})

/** A service has some hundred shapes of statements. */
const maxStatements = 1000

const noRows: Result = { rows: [], changes: 0 }

/** Runs statements on a connection, and caches them prepared. */
export const statementRunner = (
  database: Database,
  onStatement?: (sql: string) => void,
): ((statement: Statement) => Result) => {
  const prepared = new LRUCache<string, BetterSqlite3.Statement<unknown[], Row>>({ max: maxStatements })
  const prepare = (sql: string): BetterSqlite3.Statement<unknown[], Row> => {
    const statement = database.prepare<unknown[], Row>(sql)
    if (statement.reader) statement.raw()
    prepared.set(sql, statement)
    return statement
  }
  return ({ sql, parameters }) => {
    onStatement?.(sql)
    const statement = prepared.get(sql) ?? prepare(sql)
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 }
    const { changes } = statement.run(...parameters)
    return changes === 0 ? noRows : { rows: [], changes }
  }
}

/**
 * Runs steps that read on a connection, in a transaction that ends before the event loop continues: reads that follow each
 * other without waiting see one commit and lock the file once. A read never misses a commit that was acknowledged before its
 * request arrived: nothing arrives meanwhile.
 */
export const snapshotReader = (database: Database, onStatement?: (sql: string) => void) => {
  const execute = statementRunner(database, onStatement)
  // Reads end either way; a commit can fail on a damaged file.
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('ROLLBACK')]
  const finish = (): void => {
    if (database.inTransaction) end.run()
  }
  return <A>(steps: () => Steps<A>): TaskEither<PortFailure, A> =>
    async () => {
      if (!database.open) return E.left(closed)
      try {
        if (!database.inTransaction) {
          begin.run()
          process.nextTick(finish)
        }
        return E.right(runSteps(steps(), execute))
      } catch (error) {
        const failure = sqliteFailure(error)
        if (failure === null) throw error
        return E.left(failure)
      }
    }
}
