import { E } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { MongoNetworkError } from 'mongodb'
import { boundedUses } from './bounded-uses.js'

const never = () => new Promise<E.Either<never, void>>(() => undefined)

describe('boundedUses', () => {
  it('returns in time, and converts errors of the driver to failures', async () => {
    const { use } = boundedUses(1000)
    expect(await use(async () => E.right(1))()).to.deep.equal(E.right(1))
    const error = new MongoNetworkError('gone')
    const failure = { ...portFailure('document store', error), mayYetApply: true }
    expect(await use(() => Promise.reject(error))()).to.deep.equal(E.left(failure))
    const defect = new TypeError('a defect')
    expect(await use(() => Promise.reject(defect))().catch((thrown: unknown) => thrown)).to.equal(defect)
  })

  it('fails a use at its deadline, and closes although the use never ends', async () => {
    const { use, close } = boundedUses(20)
    const reason = 'it did not respond within 20 ms'
    const late = { ...portFailure('document store', reason), mayYetApply: true }
    expect(await use(never)()).to.deep.equal(E.left(late))
    let ends = 0
    const end = async () => {
      ends += 1
    }
    const nothing = async () => undefined
    const closing = [close(nothing, end), close(nothing, end)]
    const closed = E.left(portFailure('document store', 'it is closed'))
    expect(await use(never)()).to.deep.equal(closed)
    await Promise.all(closing)
    expect(ends).to.equal(1)
  })
})
