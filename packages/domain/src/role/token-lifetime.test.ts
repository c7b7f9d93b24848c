import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isTokenValid, tokenSeconds } from './token-lifetime.js'

const lifetime = tokenSeconds * 1000

describe('the lifetime of a token', () => {
  const issued = 5_000_000_000
  const expires = issued + lifetime

  it('ends to the millisecond', () => {
    expect(isTokenValid(expires, issued)).to.equal(true)
    expect(isTokenValid(expires, expires - 1)).to.equal(true)
    expect(isTokenValid(expires, expires)).to.equal(false)
  })

  it('is prolonged by a clock that steps back, but by one lifetime at most', () => {
    expect(isTokenValid(expires, issued - lifetime)).to.equal(true)
    expect(isTokenValid(expires, issued - lifetime - 1)).to.equal(false)
  })
})
