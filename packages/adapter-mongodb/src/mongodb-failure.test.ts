import { expect } from 'chai'
import { describe, it } from 'mocha'
import { MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb'
import { isDuplicate, mongodbFailure } from './mongodb-failure.js'

const serverError = (code: number, more: Readonly<Record<string, unknown>> = {}): MongoServerError =>
  new MongoServerError({ message: 'what the server said', code, ...more })

describe('mongodbFailure', () => {
  it('is what the surroundings can do to a working program', () => {
    const surroundings = [
      new MongoNetworkError('connection 1 closed'),
      serverError(11600), // InterruptedAtShutdown
      serverError(10107), // NotWritablePrimary
      serverError(50), // MaxTimeMSExpired
      serverError(64), // WriteConcernTimeout
      serverError(18), // AuthenticationFailed
      Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' }),
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    ]
    for (const error of surroundings)
      expect(mongodbFailure(error)).to.deep.equal({
        _tag: 'PortFailure',
        part: 'document store',
        reason: `${error.name}: ${error.message}`,
        mayYetApply: true,
      })
  })

  it('returns storageFull if the server rejects a write for lack of space', () => {
    const words = (code: number, message: string) => new MongoServerError({ message, code })
    for (const error of [
      words(14031, 'OutOfDiskSpace'),
      words(8000, 'you are over your space quota, using 512 MB of 512 MB'),
      words(1, 'database or disk is full (13)'),
    ]) {
      expect(mongodbFailure(error)).to.include({ part: 'document store', storageFull: true })
      expect(mongodbFailure(error)).not.to.have.property('mayYetApply')
    }
    expect(mongodbFailure(words(8000, 'bad auth'))).not.to.have.property('storageFull')
  })

  it('is null for a defect', () => {
    for (const error of [
      serverError(2),
      serverError(9),
      new TypeError('x'),
      new MongoInvalidArgumentError('x'),
      'x',
    ])
      expect(mongodbFailure(error)).to.equal(null)
  })
})

describe('isDuplicate', () => {
  it('recognizes the messages of MongoDB and FerretDB', () => {
    const duplicates = [
      serverError(11000, { keyPattern: { _id: 1 } }),
      serverError(11000, { keyPattern: { instance: 1, unique: 1 } }),
      serverError(1, { message: 'constraint failed: UNIQUE constraint failed: index x (2067)' }),
    ]
    expect(duplicates.map(isDuplicate)).to.deep.equal([true, true, true])
    expect([serverError(1), serverError(2), new Error('x')].map(isDuplicate)).to.deep.equal([
      false,
      false,
      false,
    ])
  })
})
