import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { countedUses } from './counted-uses.js'
import { portFailure, type PortFailure } from './port-failure.js'

const closed = portFailure('store', 'closed')
const failureOf = (error: unknown): PortFailure => {
  if (error instanceof TypeError) throw error
  return portFailure('store', error)
}

/** A use that the test ends. */
const slowUse = () => {
  let end = (): void => undefined
  let fail = (_error: Error): void => undefined
  const running = new Promise<E.Either<never, string>>((resolve, reject) => {
    end = () => resolve(E.right('done'))
    fail = reject
  })
  return { work: () => running, end: () => end(), fail: (error: Error) => fail(error) }
}

describe('counted uses', () => {
  it('return the result of their work', async () => {
    const { use } = countedUses(closed, failureOf)
    expect(await use(async () => E.right(1))()).to.deep.equal(E.right(1))
    expect(await use(async () => E.left('no'))()).to.deep.equal(E.left('no'))
  })

  it('return the failure of an error, and rethrow a defect', async () => {
    const { use } = countedUses(closed, failureOf)
    const error = new Error('no disk')
    expect(await use(() => Promise.reject(error))()).to.deep.equal(E.left(portFailure('store', error)))
    const defect = new TypeError('not a key')
    const thrown = await use(() => Promise.reject(defect))().catch((caught: unknown) => caught)
    expect(thrown).to.equal(defect)
  })

  it('do nothing after close', async () => {
    const { use, isClosed, close } = countedUses(closed, failureOf)
    expect(isClosed()).to.equal(false)
    const closing = close()
    expect(isClosed()).to.equal(true)
    let calls = 0
    const late = use(async () => E.right((calls += 1)))
    expect(await late()).to.deep.equal(E.left(closed))
    await closing
    expect(calls).to.equal(0)
  })

  it('delay every close until they have succeeded or failed', async () => {
    const { use, close } = countedUses(closed, failureOf)
    const [one, other] = [slowUse(), slowUse()]
    const results = [use(one.work)(), use(other.work)()]
    let ended = 0
    const closing = [close(), close()].map((each) => each.then(() => (ended += 1)))
    one.end()
    expect(await results[0]).to.deep.equal(E.right('done'))
    expect(ended).to.equal(0)
    other.fail(new Error('disconnected'))
    await Promise.all(closing)
    expect(await results[1]).to.deep.equal(E.left(portFailure('store', new Error('disconnected'))))
  })
})
