import { expect } from 'chai'
import { describe, it } from 'mocha'
import { counted } from './counted.js'

describe('counted', () => {
  it('counts things', () => {
    expect([0, 1, 2, 1234].map((count) => counted(count, 'key'))).to.deep.equal([
      '0 keys',
      '1 key',
      '2 keys',
      '1,234 keys',
    ])
  })
})
