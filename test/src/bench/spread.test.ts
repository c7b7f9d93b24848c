import { describe, it } from 'mocha'
import { expect } from 'chai'
import fc from 'fast-check'
import { spreadOf } from './spread.js'

describe('spreadOf', () => {
  it('gives the middle of an odd number of values, and between the middle two of an even one', () => {
    expect(spreadOf([3, 1, 2])).to.deep.equal({ least: 1, median: 2, most: 3 })
    expect(spreadOf([4, 1, 2, 3])).to.deep.equal({ least: 1, median: 2.5, most: 4 })
  })

  it('has as many values on either side of the median', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), (values) => {
        const { least, median, most } = spreadOf(values)
        expect(least).to.equal(Math.min(...values))
        expect(most).to.equal(Math.max(...values))
        expect(values.filter((each) => each < median).length).to.equal(
          values.filter((each) => each > median).length,
        )
      }),
    )
  })
})
