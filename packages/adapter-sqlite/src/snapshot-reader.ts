/** Reads on a connection. */
import type Database from 'better-sqlite3'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import { runSteps, type Steps } from '@publishing-service/sql-kit'
import { statementRunner } from './sqlite-dialect.js'
import { sqliteFailure } from './sqlite-failure.js'

/**
 * Begins a transaction for reads, unless one is open. It ends before the event loop continues, so that reads that follow each other without
 * waiting see one commit and lock the file once. A read never misses a commit that was acknowledged before its request
 * arrived: nothing arrives meanwhile.
 */
const sharedSnapshots = (database: Database.Database): (() => void) => {
  // Reads end either way; a commit can fail on a damaged file.
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('ROLLBACK')]
  const finish = (): void => {
    if (database.inTransaction) end.run()
  }
  return () => {
    if (database.inTransaction) return
    begin.run()
    process.nextTick(finish)
  }
}

/** Runs steps that read on a connection. */
export const snapshotReader = (database: Database.Database, onStatement?: (sql: string) => void) => {
  const execute = statementRunner(database, onStatement)
  const beginSnapshot = sharedSnapshots(database)
  return <A>(steps: () => Steps<A>): TaskEither<PortFailure, A> =>
    async () => {
      try {
        beginSnapshot()
        return E.right(runSteps(steps(), execute))
      } catch (error) {
        const failure = sqliteFailure(error)
        if (failure === null) throw error
        return E.left(failure)
      }
    }
}
