import { setTimeout as wait } from 'node:timers/promises'
import { E } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import type { DriverFailure } from './server-driver.js'
import { serverUses } from './server-uses.js'
import { plainStatement, type Result, type Statement, type Steps } from './statement.js'

/** A driver with one connection, whose statements take a turn; those of `failing` fail. */
const driverThat = (failing: Readonly<Record<string, DriverFailure['is']>>) => {
  const sent: string[] = []
  const released: boolean[] = []
  return {
    sent,
    released,
    driver: {
      connect: async () => 'connection',
      execute: async (_: string, { sql }: Statement): Promise<Result> => {
        sent.push(sql)
        await wait(1)
        if (failing[sql] !== undefined) throw new Error(sql)
        return { rows: [], changes: 1 }
      },
      release: (_: string, isBroken: boolean) => released.push(isBroken),
      begin: 'BEGIN',
      beginSnapshot: ['BEGIN', 'READ'],
      failureOf: (error: unknown): DriverFailure | null => {
        const is = error instanceof Error ? failing[error.message] : undefined
        return is === undefined ? null : { is, failure: portFailure('document store', error) }
      },
    },
  }
}

function* blindly(...texts: readonly string[]): Steps<string> {
  for (const sql of texts) yield { ...plainStatement(sql), isBlind: true }
  return 'written'
}

const isWritten = (): boolean => true

describe('serverUses', () => {
  for (const errorsEndTransactions of ['none', 'some', 'all'] as const)
    it(`commits what has succeeded, where ${errorsEndTransactions} of the errors end transactions`, async () => {
      const { driver, sent, released } = driverThat({})
      const { transact } = serverUses({ errorsEndTransactions }, driver, 1000)
      expect(await transact(() => blindly('A', 'B'), isWritten)()).to.deep.equal(E.right('written'))
      expect(sent).to.deep.equal(['BEGIN', 'A', 'B', 'COMMIT'])
      expect(released).to.deep.equal([false])
    })

  it('sends a commit before the responses, where an error makes it commit nothing', async () => {
    const { driver, sent } = driverThat({ A: 'rejected' })
    const { transact } = serverUses({ errorsEndTransactions: 'all' }, driver, 1000)
    expect(E.isLeft(await transact(() => blindly('A'), isWritten)())).to.equal(true)
    expect(sent).to.deep.equal(['BEGIN', 'A', 'COMMIT'])
  })

  it('sends no commit after an error that leaves the transaction open', async () => {
    const { driver, sent } = driverThat({ A: 'rejected' })
    const { transact } = serverUses({ errorsEndTransactions: 'none' }, driver, 1000)
    expect(E.isLeft(await transact(() => blindly('A', 'B'), isWritten)())).to.equal(true)
    expect(sent).to.deep.equal(['BEGIN', 'A', 'B', 'ROLLBACK'])
  })

  it('sends nothing behind a statement that may have ended the transaction', async () => {
    const { driver, sent } = driverThat({ A: 'rejected' })
    const { transact } = serverUses({ errorsEndTransactions: 'some' }, driver, 1000)
    expect(E.isLeft(await transact(() => blindly('A', 'B'), isWritten)())).to.equal(true)
    expect(sent).to.deep.equal(['BEGIN', 'A', 'ROLLBACK'])
  })

  it('rolls back after an error of a statement whose result decides whether to commit', async () => {
    const { driver, sent } = driverThat({ A: 'rejected' })
    const { transact } = serverUses({ errorsEndTransactions: 'all' }, driver, 1000)
    const steps = function* (): Steps<string> {
      yield plainStatement('A')
      return 'written'
    }
    expect(E.isLeft(await transact(steps, isWritten)())).to.equal(true)
    expect(sent).to.deep.equal(['BEGIN', 'A', 'ROLLBACK'])
  })

  it('repeats the steps after a lost race, and says that it does', async () => {
    const { driver, sent } = driverThat({ A: 'retry' })
    const { transact } = serverUses({ errorsEndTransactions: 'all' }, driver, 1000)
    const outcome = await transact((isRepeated) => blindly(isRepeated ? 'B' : 'A'), isWritten)()
    expect(outcome).to.deep.equal(E.right('written'))
    expect(sent).to.deep.equal(['BEGIN', 'A', 'COMMIT', 'BEGIN', 'B', 'COMMIT'])
  })

  it('reads in one transaction until it is closed, or until an error', async () => {
    const { driver, sent, released } = driverThat({ C: 'rejected' })
    const { readTransaction, close } = serverUses({ errorsEndTransactions: 'all' }, driver, 1000)
    const begun = async () => {
      const transaction = await readTransaction()
      if (E.isLeft(transaction)) throw new Error(transaction.left.reason)
      return transaction.right
    }
    const [first, second, third] = [await begun(), await begun(), await begun()]
    expect(await first.read(() => blindly('A'))()).to.deep.equal(E.right('written'))
    expect(E.isLeft(await second.read(() => blindly('C'))())).to.equal(true)
    await Promise.all([first.close(), first.close(), second.close()])
    expect(E.isLeft(await first.read(() => blindly('A'))())).to.equal(true)
    expect(released).to.deep.equal([true, false])
    await close()
    expect(E.isLeft(await third.read(() => blindly('A'))())).to.equal(true)
    const begins = ['BEGIN', 'READ', 'BEGIN', 'READ', 'BEGIN', 'READ']
    expect(sent).to.deep.equal([...begins, 'A', 'C', 'ROLLBACK', 'ROLLBACK'])
    expect(released).to.deep.equal([true, false, false])
  })
})
