import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { createKeyedMutex } from './keyed-mutex.js'

describe('keyed mutex', () => {
  it('runs tasks of one key one at a time, in order, and others concurrently', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom('a', 'b')), async (scheduler, names) => {
        const exclusively = createKeyedMutex()
        const running = new Set<string>()
        const begun: number[] = []
        const task = (name: string, index: number) => async (): Promise<number> => {
          expect(running.has(name)).to.equal(false)
          running.add(name)
          begun.push(index)
          await scheduler.schedule(Promise.resolve(), name)
          running.delete(name)
          return index
        }
        const all = Promise.all(names.map((name, index) => exclusively(name, task(name, index))))
        expect(await scheduler.waitFor(all)).to.deep.equal([...names.keys()])
        for (const each of ['a', 'b']) {
          const own = begun.filter((index) => names[index] === each)
          expect(own).to.deep.equal(own.toSorted((x, y) => x - y))
        }
      }),
    ))

  it('runs the next task after one throws', async () => {
    const exclusively = createKeyedMutex()
    const results = await Promise.allSettled([
      exclusively('a', async () => 'yes'),
      exclusively('a', async () => {
        throw new Error('a defect')
      }),
      exclusively('a', async () => 'yes'),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
  })
})
