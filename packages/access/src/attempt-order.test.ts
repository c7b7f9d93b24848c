import { expect } from 'chai'
import { describe, it } from 'mocha'
import { attemptRank, type AttemptOrigin } from './attempt-order.js'

const rankOf = (origin: Partial<AttemptOrigin>): number =>
  attemptRank({ isTrusted: false, failures: 0, underWay: 0, ...origin })

describe('the order of attempts to sign in', () => {
  it('begins with those that are trusted, then those without failures, then those with the fewest', () => {
    const inOrder = [{ isTrusted: true, failures: 1000 }, {}, { failures: 1 }, { failures: 100 }].map(rankOf)
    expect(inOrder).to.deep.equal(inOrder.toSorted((one, other) => one - other))
    expect(new Set(inOrder).size).to.equal(inOrder.length)
  })

  it('puts others before a second attempt of the same origin, also of one that is trusted', () => {
    expect(rankOf({ underWay: 1 })).to.be.above(rankOf({}))
    expect(rankOf({ isTrusted: true, underWay: 2 })).to.be.above(rankOf({}))
  })
})
