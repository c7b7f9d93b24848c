import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isTokenValid, tokenSeconds } from './user.js'

const lifetime = tokenSeconds * 1000

describe('the lifetime of a token', () => {
  const issued = 5_000_000_000
  const expires = issued + lifetime

  it('ends at the exact millisecond', () => {
    expect(isTokenValid(expires, issued)).to.equal(true)
    expect(isTokenValid(expires, expires - 1)).to.equal(true)
    expect(isTokenValid(expires, expires)).to.equal(false)
  })

  it('is extended by a clock that steps back, but by at most one lifetime', () => {
    expect(isTokenValid(expires, issued - lifetime)).to.equal(true)
    expect(isTokenValid(expires, issued - lifetime - 1)).to.equal(false)
  })
})
