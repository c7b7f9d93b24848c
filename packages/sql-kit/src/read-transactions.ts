/** Transactions of a database server that read the state of one moment, each on its connection until it is closed. */
import type { TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import type { ServerDriver, Use } from './server-driver.js'
import type { ReadTransaction } from './sql-snapshots.js'
import { plainStatement, runStepsLater } from './statement.js'

/** The transaction was closed, or its connection is broken. */
export class ReadTransactionEnded extends Error {}

/** `bounded` makes work a use that ends at the deadline, with the error `Late`, and then releases its connection. */
export const readTransactionsOn = <C>(
  driver: ServerDriver<C>,
  bounded: <A>(work: (use: Use<C>) => Promise<A>) => TaskEither<PortFailure, A>,
  Late: new () => Error,
) => {
  const running = new Set<ReadTransaction>()

  const transactionOn = (connection: C): ReadTransaction => {
    let isOpen = true
    const leave = (): void => {
      isOpen = false
      running.delete(opened)
    }
    const opened: ReadTransaction = {
      read: (steps) =>
        bounded(async (use) => {
          if (!isOpen) throw new ReadTransactionEnded()
          use.connection = connection
          try {
            return await runStepsLater(steps(), (each) => driver.execute(connection, each))
          } catch (error) {
            // After an error, a transaction reads nothing more.
            leave()
            if (!use.isLate) driver.release(connection, true)
            throw error
          } finally {
            if (use.isLate) leave()
            use.connection = null
          }
        }),
      close: async () => {
        if (!isOpen) return
        leave()
        await driver.execute(connection, plainStatement('ROLLBACK')).then(
          () => driver.release(connection, false),
          () => driver.release(connection, true),
        )
      },
    }
    running.add(opened)
    return opened
  }

  const begin = bounded(async (use) => {
    const connection = await driver.connect()
    if (use.isLate) {
      driver.release(connection, false)
      throw new Late()
    }
    use.connection = connection
    try {
      for (const sql of driver.beginSnapshot) await driver.execute(connection, plainStatement(sql))
      if (use.isLate) throw new Late()
      return transactionOn(connection)
    } catch (error) {
      if (!use.isLate) driver.release(connection, true)
      throw error
    } finally {
      use.connection = null
    }
  })

  return {
    begin,
    endAll: async (): Promise<void> => void (await Promise.all([...running].map((each) => each.close()))),
  }
}
