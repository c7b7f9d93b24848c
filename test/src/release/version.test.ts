import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isLater, isRelease, nextMinor, releaseOf, withVersion } from './version.js'

describe('a version', () => {
  it('of the development leads to its release; others lead to none', () => {
    expect(releaseOf('0.2.0-dev')).to.equal('0.2.0')
    for (const other of ['0.2.0', '0.2-dev', '0.2.0-dev.1', '00.2.0-dev', 'dev', '-dev', 'v0.2.0-dev'])
      expect(releaseOf(other), other).to.equal(null)
    expect([isRelease('1.20.3'), isRelease('1.20'), isRelease('1.20.3-dev')]).to.deep.equal([
      true,
      false,
      false,
    ])
  })

  it('is followed by the next minor one', () => {
    expect([nextMinor('0.2.0'), nextMinor('1.9.4')]).to.deep.equal(['0.3.0', '1.10.0'])
  })

  it('is later by the first number that differs', () => {
    expect(isLater('0.10.0', '0.9.9')).to.equal(true)
    expect(isLater('1.0.0', '0.9.9')).to.equal(true)
    for (const [version, than] of [
      ['0.2.0', '0.2.0'],
      ['0.2.0', '0.2.1'],
      ['0.9.9', '1.0.0'],
    ] as const)
      expect(isLater(version, than), `${version} after ${than}`).to.equal(false)
  })

  it('is replaced where it is a whole one', () => {
    const replaced = (text: string) => withVersion(text, '0.2.0-dev', '0.2.0')
    expect(replaced('image: service:0.2.0-dev')).to.equal('image: service:0.2.0')
    expect(replaced('client-0.2.0-dev.tgz, "0.2.0-dev".')).to.equal('client-0.2.0.tgz, "0.2.0".')
    for (const other of [
      '10.2.0-dev',
      '1.0.2.0-dev',
      '0.2.0-dev.1',
      '0.2.0-development',
      '0.2.0-dev-1',
      '0x2.0-dev',
    ])
      expect(replaced(other)).to.equal(other)
  })
})
