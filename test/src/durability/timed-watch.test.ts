/** The judgement of what is looked at while a clock runs: it must find what is wrong, and nothing else. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { faultOf } from './timed-watch.js'

const watch = { what: 'a listing', from: 1_000_000, until: 2_000_000, delay: 1000 }
const seen = (earliest: number, latest: number, isThere: boolean): boolean =>
  faultOf(watch, { earliest, latest }, isThere) === null

describe('what begins and ends at a time', () => {
  it('is wrong before its begin, after its end, and if it is absent in between', () => {
    expect(seen(900_000, 999_000, true)).to.equal(false)
    expect(seen(2_002_000, 2_003_000, true)).to.equal(false)
    expect(seen(1_002_000, 1_003_000, false)).to.equal(false)
  })

  it('is right in its time, outside of it, and either way around its begin and its end', () => {
    expect(seen(1_002_000, 1_003_000, true)).to.equal(true)
    expect(seen(900_000, 999_000, false)).to.equal(true)
    expect(seen(2_002_000, 2_003_000, false)).to.equal(true)
    for (const isThere of [true, false]) {
      expect(seen(999_000, 1_000_500, isThere)).to.equal(true)
      expect(seen(1_000_500, 1_000_700, isThere) || !isThere).to.equal(true)
      expect(seen(1_999_000, 2_000_500, isThere)).to.equal(true)
    }
  })
})
