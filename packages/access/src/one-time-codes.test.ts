import { expect } from 'chai'
import { describe, it } from 'mocha'
import { accountOf } from './account.js'
import {
  needsSecondFactor,
  recoveryCodeFrom,
  typedCode,
  withCodes,
  withCodeUse,
  withRecoveryCodeUse,
} from './one-time-codes.js'

describe('one-time codes', () => {
  const account = withCodes(accountOf({}), { secret: 's', step: 7, digests: ['a', 'b'] })

  it('are used once, in their order', () => {
    expect(withCodeUse(account, 8)?.one_time_step).to.equal(8)
    for (const step of [7, 6]) expect(withCodeUse(account, step)).to.equal(null)
  })

  it('have recovery codes, each for one use', () => {
    const after = withRecoveryCodeUse(account, 'a')
    expect(after?.recovery_codes).to.deep.equal(['b'])
    expect(after && withRecoveryCodeUse(after, 'a')).to.equal(null)
  })

  it('are compared without the groups in which they are shown', () => {
    const shown = recoveryCodeFrom('Abc_-DEF0123456789abcdefghijklmnop')
    expect(shown).to.match(/^([a-z0-9]{4}-){5}[a-z0-9]{4}$/)
    expect(typedCode(` ${shown.toUpperCase()} `)).to.equal(shown.replaceAll('-', ''))
    expect(typedCode('123 456')).to.equal('123456')
  })

  it('are needed where the deployment requires them, after a password or a link alone', () => {
    const none = accountOf({ password: 'x' })
    const ways = (setting: 'optional' | 'required', of = none) =>
      ['password', 'link', 'passkey', 'provider', 'key'].filter((way) => needsSecondFactor(setting, way, of))
    expect(ways('required')).to.deep.equal(['password', 'link'])
    expect(ways('optional')).to.deep.equal([])
    expect(ways('required', account)).to.deep.equal([])
  })
})
