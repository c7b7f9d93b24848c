/**
 * Writes a batch in one transaction, so that it pays for one commit: each write has an outcome of its own, and
 * none that is refused fails the others. When this returns, what was done is on the disk.
 */
import type Database from 'better-sqlite3'
import { quoted } from './key-column.js'
import { sqliteCode, sqliteFailure } from './sqlite-failure.js'
import type { Outcome, Write } from './writer-messages.js'

type Statements = {
  readonly insert: Database.Statement
  readonly replace: Database.Statement
  readonly remove: Database.Statement
  readonly version: Database.Statement<[number, string], number>
}

const prepareFor = (database: Database.Database, name: string): Statements => {
  const table = quoted(name)
  return {
    insert: database.prepare(
      `INSERT INTO ${table} (instance, id, version, uniqueness, light, heavy) VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    replace: database.prepare(
      `UPDATE OR IGNORE ${table} SET version = version + 1, uniqueness = ?, light = ?, heavy = ? WHERE instance = ? AND id = ? AND version = ?`,
    ),
    remove: database.prepare(`DELETE FROM ${table} WHERE instance = ? AND id = ? AND version = ?`),
    version: database
      .prepare<[number, string], number>(`SELECT version FROM ${table} WHERE instance = ? AND id = ?`)
      .pluck(),
  }
}

const defect = (error: unknown): Outcome => ({
  defect: error instanceof Error ? error.message : String(error),
})

/** Answers with the function that writes batches through this connection. */
export const batchApplier = (
  database: Database.Database,
): ((writes: readonly Write[]) => readonly Outcome[]) => {
  const prepared = new Map<string, Statements>()
  const probe = { statement: null as Database.Statement | null }

  const statementsFor = (table: string): Statements => {
    const statements = prepared.get(table) ?? prepareFor(database, table)
    prepared.set(table, statements)
    return statements
  }

  const apply = (write: Write): Outcome => {
    if (write.kind === 'probe') {
      probe.statement ??= database.prepare('UPDATE probes SET taken = taken + 1 WHERE id = 1')
      probe.statement.run()
      return 'done'
    }
    const { instance, id } = write
    const statements = statementsFor(write.table)
    const version = (): number | undefined => statements.version.get(instance, id)
    switch (write.kind) {
      case 'insert': {
        const { changes } = statements.insert.run(instance, id, write.unique, write.light, write.heavy)
        if (changes === 1) return 'done'
        return version() === undefined ? 'unique conflict' : 'version conflict'
      }
      case 'replace': {
        const { unique, light, heavy } = write
        const { changes } = statements.replace.run(unique, light, heavy, instance, id, write.version)
        if (changes === 1) return 'done'
        return version() === write.version ? 'unique conflict' : 'version conflict'
      }
      case 'remove':
        return statements.remove.run(instance, id, write.version).changes === 1 ? 'done' : 'version conflict'
    }
  }

  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')

  const inOneTransaction = (writes: readonly Write[]): readonly Outcome[] => {
    begin.run()
    try {
      const outcomes = writes.map(apply)
      commit.run()
      return outcomes
    } finally {
      // SQLite has rolled back by itself behind some errors, such as a full disk.
      if (database.inTransaction) rollback.run()
    }
  }

  const applyAll = (writes: readonly Write[]): readonly Outcome[] => {
    try {
      return inOneTransaction(writes)
    } catch (error) {
      const failure = sqliteFailure(error)
      // On a full disk a removal may still succeed; and one write that is a defect must not fail the others.
      const onItsOwn = failure === null || sqliteCode(error) === 'SQLITE_FULL'
      if (onItsOwn && writes.length > 1) return writes.flatMap((write) => applyAll([write]))
      const outcome = failure === null ? defect(error) : { failure: failure.reason }
      return writes.map(() => outcome)
    }
  }

  return applyAll
}
