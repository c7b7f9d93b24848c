/** Runs statements on a connection, and caches them prepared. */
import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Result, Row, Statement } from '@publishing-service/sql-kit'

/** A service has some hundred shapes of statements. */
const maxStatements = 1000

const noRows: Result = { rows: [], changes: 0 }

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
