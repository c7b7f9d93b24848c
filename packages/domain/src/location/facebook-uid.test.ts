/** fb_uid accepts names and numbers, as text or as whole numbers (docs/behaviour/locations.md#facebook-id). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { valueContext } from '../testing/index.js'
import { facebookUid } from './facebook-uid.js'

const read = (value: unknown) => facebookUid.decode(value, valueContext)

describe('fb_uid', () => {
  it('is stored as text, also if it was sent as a number', () => {
    expect(read('100044512345678')).to.deep.equal(E.right('100044512345678'))
    expect(read(100044512345678)).to.deep.equal(E.right('100044512345678'))
    for (const each of ['007', 'the.daily-test_1', '-1', 'a'.repeat(100)])
      expect(read(each)).to.deep.equal(E.right(each))
    expect(read(-1)).to.deep.equal(E.right('-1'))
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        expect(read(number)).to.deep.equal(E.right(String(number)))
        expect(read(number)).to.deep.equal(read(String(number)))
      }),
    )
  })

  it('is 1 to 100 letters, digits, underscores, dots and hyphens', () => {
    for (const value of [
      '',
      'a/b',
      'ä',
      '1 2',
      1.5,
      1e21,
      Number.MAX_SAFE_INTEGER + 1,
      NaN,
      'a'.repeat(101),
      null,
    ])
      expect(E.isLeft(read(value)), String(value)).to.equal(true)
  })
})
