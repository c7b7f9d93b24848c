import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E, type TaskEither } from '@publishing-service/domain'
import { createKeyedMutex } from './keyed-mutex.js'

describe('keyed mutex', () => {
  it('runs tasks of one key one at a time, in order, and others concurrently', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom('a', 'b')), async (scheduler, names) => {
        const exclusively = createKeyedMutex()
        const running = new Set<string>()
        const begun: number[] = []
        const task =
          (name: string, index: number): TaskEither<never, number> =>
          async () => {
            expect(running.has(name)).to.equal(false)
            running.add(name)
            begun.push(index)
            await scheduler.schedule(Promise.resolve(), name)
            running.delete(name)
            return E.right(index)
          }
        const all = Promise.all(names.map((name, index) => exclusively(name, task(name, index))()))
        const results = await scheduler.waitFor(all)
        expect(results.map((result) => (E.isRight(result) ? result.right : -1))).to.deep.equal([
          ...names.keys(),
        ])
        for (const each of ['a', 'b']) {
          const own = begun.filter((index) => names[index] === each)
          expect(own).to.deep.equal(own.toSorted((x, y) => x - y))
        }
      }),
    ))

  it('runs the next task after one fails or throws', async () => {
    const exclusively = createKeyedMutex()
    const results = await Promise.allSettled([
      exclusively('a', async () => E.left('no'))(),
      exclusively('a', async () => {
        throw new Error('a defect')
      })(),
      exclusively('a', async () => E.right('yes'))(),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
  })
})
