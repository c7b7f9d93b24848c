import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { rateCeiling } from './rate-limits.js'

describe('rateCeiling', () => {
  it('is the whole limit for a single process', () => {
    expect(rateCeiling(600, { published: 0, others: 0, processes: 1 })).to.equal(600)
    expect(rateCeiling(600, { published: 400, others: 0, processes: 1 })).to.equal(600)
  })

  it('subtracts the counts of other processes, and divides the rest', () => {
    expect(rateCeiling(600, { published: 0, others: 0, processes: 3 })).to.equal(200)
    expect(rateCeiling(600, { published: 200, others: 100, processes: 3 })).to.equal(300)
    expect(rateCeiling(600, { published: 0, others: 599, processes: 2 })).to.equal(1)
    expect(rateCeiling(600, { published: 10, others: 900, processes: 2 })).to.equal(10)
  })

  it('limits processes with the same counts to the limit in total', () => {
    const counts = fc.array(fc.nat(300), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 1000 }), (all, limit) => {
        const sum = all.reduce((one, other) => one + other, 0)
        const ceilings = all.map((published) =>
          rateCeiling(limit, { published, others: sum - published, processes: all.length }),
        )
        // Each may round its part up.
        expect(ceilings.reduce((one, other) => one + other, 0)).to.be.below(Math.max(limit, sum) + all.length)
      }),
    )
  })
})
