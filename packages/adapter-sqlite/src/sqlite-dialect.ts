/** The SQL of SQLite, and how statements are run on a connection. */
import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import {
  commonStatements,
  type Dialect,
  type Result,
  type Row,
  type Statement,
  type Words,
} from '@publishing-service/sql-kit'

/**
 * SQLite as a dialect of the kit. A parameter is `+?`: SQLite would compare others with the samples of its statistics, and
 * plan a statement anew for each value, which takes longer than to read a document.
 */
export const sqliteDialect = (words: Words): Dialect => ({
  ...commonStatements,
  types: { bytes: 'BLOB', integer: 'INTEGER', position: 'INTEGER', name: 'TEXT', document: 'TEXT' },
  placeholder: () => '+?',
  nameParameter: (text) => text,
  nameFrom: (column) => {
    if (typeof column !== 'string') throw new Error('SQLite returned no text in a column of texts')
    return column
  },
  // To make a text of bytes takes less time there than here.
  textSql: (column) => `CAST(${column} AS TEXT)`,
  clustered: ' WITHOUT ROWID',
  // An entry of an index ends in the number of the row, which is the position.
  indexEnd: '',
  readIndex: (index) => ` INDEXED BY ${index}`,
  // Only one transaction writes at a time.
  lockRow: '',
  lockTable: null,
  // SQLite does not consider that a page ends early, and its statistics are of another time.
  selective: 1000,
  readPositions: ' NOT INDEXED',
  commitOrder: null,
  words,
})

/** A service has some hundred shapes of statements. */
const maxStatements = 1000

const noRows: Result = { rows: [], changes: 0 }

/** Runs statements on a connection, and caches them prepared. */
export const statementRunner = (
  database: Database.Database,
  onStatement: (sql: string) => void = () => undefined,
): ((statement: Statement) => Result) => {
  const prepared = new LRUCache<string, Database.Statement<unknown[], Row>>({ max: maxStatements })
  const prepare = (sql: string): Database.Statement<unknown[], Row> => {
    const statement = database.prepare<unknown[], Row>(sql)
    if (statement.reader) statement.raw()
    prepared.set(sql, statement)
    return statement
  }
  return ({ sql, parameters }) => {
    onStatement(sql)
    const statement = prepared.get(sql) ?? prepare(sql)
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 }
    const { changes } = statement.run(...parameters)
    return changes === 0 ? noRows : { rows: [], changes }
  }
}
