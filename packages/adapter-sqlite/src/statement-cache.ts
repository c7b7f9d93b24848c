/** Prepared statements by their text: the most recently used are kept, the others are left to be freed. */
import type Database from 'better-sqlite3'

export type StatementCache = (sql: string) => Database.Statement<unknown[], unknown[]>

/** Statements that answer with rows as lists. `size` bounds how many are kept. */
export const statementCache = (database: Database.Database, size: number): StatementCache => {
  const kept = new Map<string, Database.Statement<unknown[], unknown[]>>()
  return (sql) => {
    const found = kept.get(sql)
    const statement = found ?? database.prepare<unknown[], unknown[]>(sql).raw()
    kept.delete(sql)
    kept.set(sql, statement)
    const [oldest] = kept.keys()
    if (kept.size > size && oldest !== undefined) kept.delete(oldest)
    return statement
  }
}
