/**
 * Writes a batch in one transaction, and so with one commit. Each write has its own outcome, and a conflict does not
 * fail the other writes. When the function returns, the writes are on the disk.
 */
import type Database from 'better-sqlite3'
import { foreignKeyFinder } from './foreign-keys.js'
import { type Parameter, quoted, unsampled } from './key-column.js'
import { searchEntries, type SearchEntries } from './search-entries.js'
import { sqliteFailure } from './sqlite-failure.js'
import type { Outcome, Write, WriterSettings } from './writer-messages.js'

type CurrentRow = readonly [
  version: number,
  sequence: number,
  uniqueness: string | null,
  ...keys: Parameter[],
]

type Statements = {
  readonly insert: Database.Statement
  readonly remove: Database.Statement
  readonly version: Database.Statement<[number, string], number>
  /** The stored columns that a replacement is compared with. */
  readonly current: Database.Statement<[number, string], CurrentRow>
  /** The statement that writes the texts and these columns. */
  readonly replace: (columns: readonly string[]) => Database.Statement
}

/** Cached statements of replacements, one for each set of columns that changes. */
const maxReplacements = 64

const prepareFor = (database: Database.Database, name: string, keyColumns: readonly string[]): Statements => {
  const table = quoted(name)
  const placeholders = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
  const byId = `instance = ${unsampled} AND id = ${unsampled}`
  const columns = ['instance', 'id', 'uniqueness', 'light', 'heavy', ...keyColumns]
  const replacements = new Map<string, Database.Statement>()
  return {
    insert: database.prepare(
      `INSERT INTO ${table} (version, ${columns.join(', ')}) VALUES (1, ${placeholders(columns.length)}) ON CONFLICT DO NOTHING`,
    ),
    remove: database.prepare(`DELETE FROM ${table} WHERE ${byId} AND version = ?`),
    version: database.prepare<[number, string], number>(`SELECT version FROM ${table} WHERE ${byId}`).pluck(),
    current: database
      .prepare<[number, string], CurrentRow>(
        `SELECT ${['version', 'sequence', 'uniqueness', ...keyColumns].join(', ')} FROM ${table} WHERE ${byId}`,
      )
      .raw(),
    replace: (changed) => {
      const assignments = ['light', 'heavy', ...changed].map((column) => `${column} = ?`).join(', ')
      const known = replacements.get(assignments)
      if (known !== undefined) return known
      if (replacements.size >= maxReplacements) replacements.clear()
      const statement = database.prepare(
        `UPDATE OR IGNORE ${table} SET version = version + 1, ${assignments} WHERE sequence = ?`,
      )
      replacements.set(assignments, statement)
      return statement
    },
  }
}

type DocumentWrite = Extract<Write, { readonly unique: string | null }>

const insert = (
  statements: Statements,
  entries: SearchEntries,
  { table, instance, id, unique, light, heavy, keys }: DocumentWrite,
): Outcome => {
  const { changes, lastInsertRowid } = statements.insert.run(instance, id, unique, light, heavy, ...keys)
  if (changes === 1) {
    entries.add(table, { instance, sequence: Number(lastInsertRowid), version: 1, light, heavy })
    return 'done'
  }
  return statements.version.get(instance, id) === undefined ? 'unique conflict' : 'version conflict'
}

/** Writes only the columns that change: SQLite updates every index of a column that is written. */
const replace = (
  statements: Statements,
  entries: SearchEntries,
  keyColumns: readonly string[],
  write: DocumentWrite,
): Outcome => {
  const { table, instance, light, heavy } = write
  const [version, sequence, ...currentColumns] = statements.current.get(instance, write.id) ?? []
  if (version !== write.version || sequence === undefined) return 'version conflict'
  const columns = ['uniqueness', ...keyColumns]
  const values = [write.unique, ...write.keys]
  const changed = columns.map((_, index) => values[index] !== currentColumns[index])
  const isChanged = (_: unknown, index: number): boolean => changed[index] === true
  const statement = statements.replace(columns.filter(isChanged))
  const { changes } = statement.run(light, heavy, ...values.filter(isChanged), sequence)
  if (changes === 0) return 'unique conflict'
  entries.add(table, { instance, sequence, version: version + 1, light, heavy })
  return 'done'
}

const defect = (error: unknown): Outcome => ({
  defect: error instanceof Error ? error.message : String(error),
})

/** Returns the function that executes one write. */
const writeExecutor = (
  database: Database.Database,
  { keyColumns }: Pick<WriterSettings, 'keyColumns'>,
  entries: SearchEntries,
): ((write: Write) => Outcome) => {
  const prepared = new Map<string, Statements>()
  const probe = { statement: null as Database.Statement | null }

  const statementsFor = (table: string): Statements => {
    const statements = prepared.get(table) ?? prepareFor(database, table, keyColumns[table] ?? [])
    prepared.set(table, statements)
    return statements
  }

  return (write) => {
    if (write.kind === 'probe') {
      probe.statement ??= database.prepare('UPDATE probes SET taken = taken + 1 WHERE id = 1')
      probe.statement.run()
      return 'done'
    }
    if (write.kind === 'index' || write.kind === 'remove index') {
      if (write.kind === 'index') entries.index(write.table)
      else entries.removeAll(write.table)
      return 'done'
    }
    const statements = statementsFor(write.table)
    switch (write.kind) {
      case 'insert':
        return insert(statements, entries, write)
      case 'replace':
        return replace(statements, entries, keyColumns[write.table] ?? [], write)
      case 'remove': {
        const { changes } = statements.remove.run(write.instance, write.id, write.version)
        return changes === 1 ? 'done' : 'version conflict'
      }
    }
  }
}

/** Returns the function that writes batches through this connection. */
export const batchApplier = (
  database: Database.Database,
  settings: Pick<WriterSettings, 'keyColumns' | 'searches'>,
): ((writes: readonly Write[]) => readonly Outcome[]) => {
  const entries = searchEntries(database, settings.searches)
  const execute = writeExecutor(database, settings, entries)
  const foreignKey = foreignKeyFinder(database, settings.keyColumns)

  const inOneTransaction = database.transaction((writes: readonly Write[]): readonly Outcome[] => {
    const foreign = foreignKey()
    if (foreign === null) {
      const outcomes = writes.map(execute)
      entries.flush()
      return outcomes
    }
    return writes.map(() => ({
      failure: `another version of this program has added ${foreign} to the file`,
    }))
  })

  const applyBatch = (writes: readonly Write[]): readonly Outcome[] => {
    try {
      return inOneTransaction.immediate(writes)
    } catch (error) {
      entries.onRollback()
      const failure = sqliteFailure(error)
      // On a full disk a removal may still succeed; and a write that is a defect must not fail the others.
      const isFull = failure?.storageFull === true
      const isPerWrite = failure === null || isFull
      if (isPerWrite && writes.length > 1) return writes.flatMap((write) => applyBatch([write]))
      if (failure === null) return writes.map(() => defect(error))
      return writes.map(() => (isFull ? { full: failure.reason } : { failure: failure.reason }))
    }
  }

  return applyBatch
}
