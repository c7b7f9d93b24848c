/**
 * Uses of a database server. Each ends within a deadline. A transaction that lost against another is repeated, and a
 * failure says whether a commit may still be applied.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { countedUses, type PortFailure, portFailure } from '@publishing-service/ports'
import type { Dialect } from './dialect.js'
import type { DriverFailure, ServerDriver, Use } from './server-driver.js'
import { ReadTransactionEnded, readTransactionsOn } from './read-transactions.js'
import type { ReadTransaction } from './sql-snapshots.js'
import { plainStatement, type Result, runStepsLater, type Statement, type Steps } from './statement.js'

export type ServerUses = {
  /** Runs steps that read without a transaction. */
  readonly read: <A>(steps: () => Steps<A>) => TaskEither<PortFailure, A>
  /** Runs steps in a transaction, which is committed if its result says so. `isRepeated` after a lost race. */
  readonly transact: <A>(
    steps: (isRepeated: boolean) => Steps<A>,
    isCommitted: (result: A) => boolean,
  ) => TaskEither<PortFailure, A>
  /** Begins a transaction that reads one state, on a separate connection. */
  readonly readTransaction: TaskEither<PortFailure, ReadTransaction>
  /** Rejects further uses, ends transactions that read, and resolves when the running uses have ended. */
  readonly close: () => Promise<void>
}

const part = 'document store'
const closed = portFailure(part, 'it is closed')

/** A violation of a unique index that remains is a defect, and must not be repeated until the deadline. */
const mostAttempts = 20

/** Milliseconds that the first repetition waits at most; each next one so many times as long. */
const [firstPause, pauseGrowth] = [5, 1.3]

const rollback = plainStatement('ROLLBACK')

class Late extends Error {}

/** `deadline` is in milliseconds. */
export const serverUses = <C>(
  { errorsEndTransactions }: Pick<Dialect, 'errorsEndTransactions'>,
  driver: ServerDriver<C>,
  deadline: number,
): ServerUses => {
  const uses = countedUses(closed, (error) => {
    throw error
  })
  const commit: Statement = {
    ...plainStatement('COMMIT'),
    ...(errorsEndTransactions === 'all' ? {} : { isLast: true }),
  }
  const late: DriverFailure = {
    is: 'lost',
    failure: portFailure(part, `it did not respond within ${deadline} ms`),
  }
  const ended: DriverFailure = { is: 'rejected', failure: portFailure(part, 'the snapshot is closed') }
  const failureOf = (error: unknown): DriverFailure | null => {
    if (error instanceof ReadTransactionEnded) return ended
    return error instanceof Late ? late : driver.failureOf(error)
  }

  const connected = async <A>(use: Use<C>, work: (connection: C) => Promise<A>): Promise<A> => {
    const connection = await driver.connect()
    if (use.isLate) {
      driver.release(connection, false)
      throw new Late()
    }
    use.connection = connection
    let isBroken = false
    try {
      return await work(connection)
    } catch (error) {
      isBroken = failureOf(error)?.is === 'lost'
      throw error
    } finally {
      // A use that is late has lost its connection already.
      if (use.connection !== null) driver.release(connection, isBroken)
      use.connection = null
    }
  }

  const bounded =
    <A>(work: (use: Use<C>) => Promise<A>): TaskEither<PortFailure, A> =>
    async () => {
      const use: Use<C> = { connection: null, isLate: false, isCommitting: false }
      let timer: NodeJS.Timeout | undefined
      const lateness = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          use.isLate = true
          reject(new Late())
          if (use.connection !== null) driver.release(use.connection, true)
          use.connection = null
        }, deadline)
      })
      const working = work(use)
      // After the deadline nobody waits for it.
      working.catch(() => undefined)
      try {
        return E.right(await Promise.race([working, lateness]))
      } catch (error) {
        const found = failureOf(error)
        if (found === null) throw error
        const isUnknown = found.is === 'lost' && use.isCommitting
        // A full disk of the log ends the server, and a commit with it.
        return E.left(
          isUnknown ? { ...portFailure(part, found.failure.reason), mayYetApply: true } : found.failure,
        )
      } finally {
        clearTimeout(timer)
      }
    }

  function* inTransaction<A>(use: Use<C>, steps: Steps<A>, isCommitted: (result: A) => boolean): Steps<A> {
    yield { ...plainStatement(driver.begin), isBlind: true }
    const result = yield* steps
    use.isCommitting = isCommitted(result)
    yield use.isCommitting ? commit : rollback
    return result
  }

  const transaction = async <A>(use: Use<C>, connection: C, steps: Steps<A>): Promise<A> => {
    const execute = (each: Statement): Promise<Result> => driver.execute(connection, each)
    try {
      return await runStepsLater(steps, execute, errorsEndTransactions === 'some')
    } catch (error) {
      // A commit that was sent before the error was known has ended the transaction.
      const isEnded = errorsEndTransactions === 'all' && use.isCommitting
      if (!isEnded && failureOf(error)?.is !== 'lost') await execute(rollback)
      throw error
    }
  }

  const { begin, endAll } = readTransactionsOn(driver, (work) => uses.use(bounded(work)), Late)

  return {
    readTransaction: begin,
    read: (steps) =>
      uses.use(
        bounded((use) =>
          connected(use, (connection) => runStepsLater(steps(), (each) => driver.execute(connection, each))),
        ),
      ),
    transact: (steps, isCommitted) =>
      uses.use(
        bounded(async (use) => {
          for (let attempt = 1; ; attempt += 1)
            try {
              return await connected(use, (connection) =>
                transaction(use, connection, inTransaction(use, steps(attempt > 1), isCommitted)),
              )
            } catch (error) {
              use.isCommitting &&= failureOf(error)?.is === 'lost'
              if (failureOf(error)?.is !== 'retry' || attempt === mostAttempts) throw error
              await wait(Math.random() * firstPause * pauseGrowth ** (attempt - 1))
            }
        }),
      ),
    close: async () => {
      await endAll()
      await uses.close()
    },
  }
}
