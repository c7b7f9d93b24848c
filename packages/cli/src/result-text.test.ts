import { expect } from 'chai'
import { describe, it } from 'mocha'
import { bytesInWords, durationInWords } from './result-text.js'

describe('quantities', () => {
  it('measure bytes in the unit that suits them', () => {
    expect([0, 1, 999, 1000, 12_345, 2_140_000, 3e9, 4.5e15].map(bytesInWords)).to.deep.equal([
      '0 bytes',
      '1 bytes',
      '999 bytes',
      '1 kB',
      '12.3 kB',
      '2.14 MB',
      '3 GB',
      '4,500 TB',
    ])
  })

  it('measure time in the unit that suits it', () => {
    expect([0, 0.04, 9.94, 9.96, 59.4, 59.6, 245, 3599.6, 7325].map(durationInWords)).to.deep.equal([
      '0.0 s',
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1 min 0 s',
      '4 min 5 s',
      '1 h 0 min',
      '2 h 2 min',
    ])
  })
})
