import { expect } from 'chai'
import { describe, it } from 'mocha'
import { hasFailedSoon, restartDelay } from './restart-delay.js'

describe('the replacement of a worker', () => {
  it('is at once, and the later the more often workers fail soon, up to half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(restartDelay)).to.deep.equal([
      0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
  })

  it('is late for those that fail before they serve, or soon after', () => {
    expect([null, 0, 2999, 3000, 1e9].map(hasFailedSoon)).to.deep.equal([true, true, true, false, false])
  })
})
