import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { boundedQueue } from './bounded-queue.js'

describe('bounded queue', () => {
  it('never runs more than it may, serves in order, and refuses exactly what is past its bound', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(5),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (running, waiting, outcomes) => {
          const queue = boundedQueue(running, waiting)
          const begun: number[] = []
          let busy = 0
          let most = 0
          const jobs = outcomes.map((succeeds, at) =>
            queue.run(async () => {
              begun.push(at)
              busy += 1
              most = Math.max(most, busy)
              await new Promise((resolve) => setImmediate(resolve))
              busy -= 1
              if (!succeeds) throw new Error('failed')
              return at
            }),
          )
          const taken = Math.min(outcomes.length, running + waiting)
          expect(jobs.map((job) => job !== null)).to.deep.equal(outcomes.map((_, at) => at < taken))
          const settled = await Promise.allSettled(jobs.slice(0, taken))
          expect(settled.map(({ status }) => status === 'fulfilled')).to.deep.equal(outcomes.slice(0, taken))
          expect(begun).to.deep.equal([...Array(taken).keys()])
          expect(most).to.equal(Math.min(taken, running))
          expect(await queue.run(async () => 'free again')).to.equal('free again')
        },
      ),
    )
  })
})
