import { controlledClock } from '@publishing-service/adapter-memory'
import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { defaultImageLimits } from '@publishing-service/domain/images'
import { noMetrics } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { start } from '../test-support/stage.js'
import { createScalingQueue, type Requester } from './scaling-queue.js'

const limits = { ...defaultImageLimits, queue: 40, clientShare: 1 / 10, newForAddress: 3 }
const overShare = E.left<Problem>({ _tag: 'TooManyRequests', retryAfter: 5 })

const requester = (instance: number, client: string, isAnonymous = false): Requester => ({
  instance,
  client,
  isAnonymous,
})

/** A queue whose jobs end one by one, and record which was started. */
const startedQueue = () => {
  const clock = controlledClock(start)
  const queue = createScalingQueue(clock, noMetrics, 1, limits)
  const started: string[] = []
  let end: () => void = () => undefined
  const add = (by: Requester, name: string) =>
    queue.add(by, () => {
      started.push(name)
      return new Promise<E.Either<never, string>>((resolve) => {
        end = () => resolve(E.right(name))
      })
    })
  const runAll = async (): Promise<readonly string[]> => {
    for (let job = 0; job < 50; job += 1) {
      end()
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
    return started
  }
  return { add, runAll, clock }
}

describe('the queue of images to be scaled', () => {
  it('serves instances round-robin, and the clients of an instance', async () => {
    const { add, runAll } = startedQueue()
    const jobs = ['1 a', '1 a', '1 a', '1 b', '1 b', '1 c', '2 d', '2 d', '2 d', '2 d']
    jobs.forEach((name, index) => {
      const [instance, client] = name.split(' ')
      expect(add(requester(Number(instance), String(client)), `${name}${index}`)).to.satisfy(E.isRight)
    })
    expect(await runAll()).to.deep.equal([
      '1 a0',
      '2 d6',
      '1 b3',
      '2 d7',
      '1 c5',
      '2 d8',
      '1 a1',
      '2 d9',
      '1 b4',
      '1 a2',
    ])
  })

  /** The results of eight jobs of a client on several instances: one runs, four are its share, and three wait for it. */
  const greedy = (add: ReturnType<typeof startedQueue>['add']) =>
    [1, 1, 1, 2, 2, 1, 2, 3].map((instance, index) => {
      const job = add(requester(instance, 'greedy'), `greedy ${index}`)
      if (E.isLeft(job)) throw new Error('rejected')
      return job.right.result
    })

  it('lets jobs beyond the share of a client, over all instances, wait for a place, after those of others', async () => {
    const { add, runAll } = startedQueue()
    const results = greedy(add)
    add(requester(1, 'other'), 'other')
    const started = await runAll()
    expect(started).to.have.lengthOf(9).and.include.members(['greedy 5', 'greedy 6', 'greedy 7'])
    expect(started.indexOf('other')).to.be.lessThan(started.indexOf('greedy 5'))
    expect((await Promise.all(results)).every(E.isRight)).to.equal(true)
  })

  it('rejects jobs that have waited too long for the share of their client', async () => {
    const { add, runAll, clock } = startedQueue()
    const results = greedy(add)
    clock.advance(15_001)
    await runAll()
    const ended = await Promise.all(results)
    expect(ended.slice(0, 5).every(E.isRight)).to.equal(true)
    expect(ended.slice(5)).to.deep.equal([overShare, overShare, overShare])
  })

  it('limits the new images of a client without a token in a window', async () => {
    const { add, runAll, clock } = startedQueue()
    for (let image = 0; image < limits.newForAddress; image += 1) {
      expect(add(requester(1, 'address', true), 'job')).to.satisfy(E.isRight)
      await runAll()
    }
    const rejected = E.left({ _tag: 'TooManyRequests', retryAfter: 60 })
    expect(add(requester(2, 'address', true), 'job')).to.deep.equal(rejected)
    expect(add(requester(1, 'user'), 'job')).to.satisfy(E.isRight)
    clock.advance(60_000)
    expect(add(requester(1, 'address', true), 'job')).to.satisfy(E.isRight)
  })

  it('runs a job once if several callers joined it', async () => {
    const { add, runAll } = startedQueue()
    add(requester(1, 'a'), 'a1')
    add(requester(1, 'a'), 'a2')
    const last = add(requester(1, 'a'), 'a3')
    if (E.isLeft(last)) throw new Error('rejected')
    for (const client of ['b', 'c', 'b']) last.right.join(requester(1, client))
    expect(await runAll()).to.deep.equal(['a1', 'a3', 'a2'])
    expect(await last.right.result).to.deep.equal(E.right('a3'))
  })
})
