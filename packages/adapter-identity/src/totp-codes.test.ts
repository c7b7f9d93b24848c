import { expect } from 'chai'
import { describe, it } from 'mocha'
import { totpCodes } from './totp-codes.js'

/** The secret of RFC 6238, appendix B, and the last six digits of its codes for SHA-1. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const codes: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

describe('totpCodes', () => {
  for (const [seconds, code] of codes)
    it(`knows the code at ${seconds} seconds of RFC 6238, and accepts it a step earlier and later`, () => {
      const step = Math.floor(seconds / 30)
      const at = (offset: number) => totpCodes.stepOf(secret, code, (seconds + offset * 30) * 1000)
      expect([-2, -1, 0, 1, 2].map(at)).to.deep.equal([null, step, step, step, null])
    })

  it('accepts nothing else', () => {
    for (const code of ['', '28708', '2870820', '287 082', '٢٨٧٠٨٢', '28708a', '-87082', '94287082'])
      expect(totpCodes.stepOf(secret, code, 59_000), code).to.equal(null)
  })

  it('makes secrets of 160 bits, and addresses for authenticator apps', () => {
    const [one, other] = [totpCodes.newSecret(), totpCodes.newSecret()]
    expect(one)
      .to.match(/^[A-Z2-7]{32}$/)
      .and.not.equal(other)
    const address = new URL(totpCodes.address(one, 'The Daily: Example', 'ada@example.org'))
    expect(address.protocol + address.host).to.equal('otpauth:totp')
    expect(decodeURIComponent(address.pathname)).to.match(/^\/The Daily.* Example:ada@example\.org$/)
    expect(Object.fromEntries(address.searchParams)).to.deep.include({
      secret: one,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
