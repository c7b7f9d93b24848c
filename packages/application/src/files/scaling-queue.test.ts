import { controlledClock } from '@publishing-service/adapter-memory'
import { defaultImageLimits, E, type Problem } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { start } from '../test-support/stage.js'
import { createScalingQueue, type Requester } from './scaling-queue.js'

const limits = { ...defaultImageLimits, queue: 40, clientShare: 1 / 10 }
const overShare = E.left<Problem>({ _tag: 'TooManyRequests', retryAfter: 5 })

/** A queue whose jobs end one by one, and record which was started. */
const startedQueue = () => {
  const queue = createScalingQueue(controlledClock(start), 1, limits)
  const started: string[] = []
  let end: () => void = () => undefined
  const add = (requester: Requester, name: string) =>
    queue.add(requester, () => {
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
  return { add, runAll }
}

describe('the queue of images to be scaled', () => {
  it('serves instances round-robin, and the clients of an instance', async () => {
    const { add, runAll } = startedQueue()
    const jobs = ['1 a', '1 a', '1 a', '1 b', '1 b', '1 c', '2 d', '2 d', '2 d', '2 d']
    jobs.forEach((name, index) => {
      const [instance, client] = name.split(' ')
      expect(add({ instance: Number(instance), client: String(client) }, `${name}${index}`)).to.satisfy(
        E.isRight,
      )
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

  it('counts the queued jobs of a client over all instances, and frees their places', async () => {
    const { add, runAll } = startedQueue()
    const greedy = (instance: number): Requester => ({ instance, client: 'greedy' })
    // One runs and four wait.
    for (const instance of [1, 1, 1, 2, 2]) expect(add(greedy(instance), 'job')).to.satisfy(E.isRight)
    for (const instance of [1, 2, 3]) expect(add(greedy(instance), 'job')).to.deep.equal(overShare)
    expect(add({ instance: 1, client: 'other' }, 'job')).to.satisfy(E.isRight)
    await runAll()
    expect(add(greedy(1), 'job')).to.satisfy(E.isRight)
  })

  it('runs a job once if several callers joined it', async () => {
    const { add, runAll } = startedQueue()
    add({ instance: 1, client: 'a' }, 'a1')
    add({ instance: 1, client: 'a' }, 'a2')
    const last = add({ instance: 1, client: 'a' }, 'a3')
    if (E.isLeft(last)) throw new Error('rejected')
    for (const client of ['b', 'c', 'b']) last.right.join({ instance: 1, client })
    expect(await runAll()).to.deep.equal(['a1', 'a3', 'a2'])
    expect(await last.right.result).to.deep.equal(E.right('a3'))
  })
})
