/** Transactions that read the state of one moment, each on its own connection to the file. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import { plainStatement, runSteps, type ReadTransaction } from '@publishing-service/sql-kit'
import { Database } from './better-sqlite3.js'
import { lockTimeout } from './open-connection.js'
import { statementRunner } from './sqlite-dialect.js'
import { closed, sqliteFailure } from './sqlite-failure.js'

export type SqliteSnapshots = {
  readonly open: TaskEither<PortFailure, ReadTransaction>
  readonly closeAll: () => void
}

export const sqliteSnapshots = (file: string): SqliteSnapshots => {
  const connections = new Set<Database>()
  let isClosed = false

  const attempted =
    <A>(act: () => A): TaskEither<PortFailure, A> =>
    async () => {
      try {
        return E.right(act())
      } catch (error) {
        const failure = sqliteFailure(error)
        if (failure === null) throw error
        return E.left(failure)
      }
    }

  const begin = (): ReadTransaction => {
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
    const execute = statementRunner(database)
    const close = (): void => {
      database.close()
      connections.delete(database)
    }
    try {
      execute(plainStatement('BEGIN'))
      // The first read chooses the moment.
      execute(plainStatement('SELECT count(*) FROM probes'))
    } catch (error) {
      close()
      throw error
    }
    connections.add(database)
    return {
      read: (steps) => async () =>
        database.open ? attempted(() => runSteps(steps(), execute))() : E.left(closed),
      close: async () => close(),
    }
  }

  return {
    open: async () => (isClosed ? E.left(closed) : attempted(begin)()),
    closeAll: () => {
      isClosed = true
      for (const database of connections) database.close()
    },
  }
}
