/**
 * Writes a batch in one transaction, and so with one commit. Each write has its own outcome, and a conflict does not
 * fail the other writes. When the function returns, the writes are on the disk.
 */
import type { Database } from './better-sqlite3.js'
import type { Collection } from '@publishing-service/ports'
import {
  type Conflict,
  layoutNamed,
  layoutsOf,
  type Outcome as WriteOutcome,
  runSteps,
  WriteSteps,
  type WriteTexts,
} from '@publishing-service/sql-kit'
import { commitRecorder } from './commits.js'
import { sqliteDialect, statementRunner } from './sqlite-dialect.js'
import { sqliteFailure } from './sqlite-failure.js'
import { sqliteWords } from './sqlite-words.js'
import type { Outcome, Write } from './writer-messages.js'

class RolledBack extends Error {
  constructor(readonly conflict: Conflict) {
    super()
  }
}

const defect = (error: unknown): Outcome => ({
  defect: error instanceof Error ? error.message : String(error),
})

/** The collections that a write has changed. */
const changedBy = (write: Write, outcome: Outcome | undefined): readonly (readonly [number, string])[] => {
  if (write.kind !== 'write' || outcome === undefined || !('positions' in outcome)) return []
  const { instance, changes, appended } = write.write
  return [
    ...changes.flatMap(({ kind, collection }) =>
      kind === 'insert' || kind === 'replace' || kind === 'remove' ? [[instance, collection] as const] : [],
    ),
    ...appended.map((each) => [each.instance, each.collection] as const),
  ]
}

/** Returns the function that writes batches through this connection. */
export const batchApplier = (
  database: Database,
  collections: readonly Collection[],
): ((writes: readonly Write[]) => readonly Outcome[]) => {
  const words = sqliteWords()
  const dialect = sqliteDialect(words)
  const layouts = layoutsOf(collections, dialect)
  const steps = new WriteSteps(dialect, layouts)
  const execute = statementRunner(database)
  const record = commitRecorder(database)
  const probe = database.prepare('UPDATE probes SET taken = taken + 1 WHERE id = 1')

  const applyAll = database.transaction((write: WriteTexts): WriteOutcome => {
    const outcome = runSteps(steps.write(write), execute)
    if ('conflict' in outcome) throw new RolledBack(outcome)
    return outcome
  })

  /** A conflict of one change changes nothing; one of several may come after others, which a savepoint undoes. */
  const applyWrite = (write: WriteTexts): WriteOutcome => {
    if (write.changes.length === 1) return runSteps(steps.write(write), execute)
    try {
      return applyAll(write)
    } catch (error) {
      if (error instanceof RolledBack) return error.conflict
      throw error
    }
  }

  const apply = (write: Write): Outcome => {
    if (write.kind === 'write') return applyWrite(write.write)
    if (write.kind === 'probe') probe.run()
    else {
      const layout = layoutNamed(layouts, write.collection)
      runSteps(words.index(layout), execute)
      if (write.merges) runSteps(words.mergeSome(layout), execute)
    }
    return { positions: [] }
  }

  const inOneTransaction = database.transaction((writes: readonly Write[]): readonly Outcome[] => {
    const outcomes = writes.map(apply)
    record(writes.flatMap((write, index) => changedBy(write, outcomes[index])))
    return outcomes
  })

  const applyBatch = (writes: readonly Write[]): readonly Outcome[] => {
    try {
      return inOneTransaction.immediate(writes)
    } catch (error) {
      words.forget()
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
