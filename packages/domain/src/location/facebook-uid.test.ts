/** fb_uid takes whole numbers as well as texts of digits (specification, release May 2016). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { valueContext } from '../resource/attribute-table.arbitrary.js'
import { facebookUid } from './facebook-uid.js'

const read = (value: unknown) => facebookUid.decode(value, valueContext)

describe('fb_uid', () => {
  it('is kept as text, whether it came as text or as a number', () => {
    expect(read('100044512345678')).to.deep.equal(E.right('100044512345678'))
    expect(read(100044512345678)).to.deep.equal(E.right('100044512345678'))
    expect(read('007')).to.deep.equal(E.right('007'))
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        expect(read(number)).to.deep.equal(E.right(String(number)))
        expect(read(number)).to.deep.equal(read(String(number)))
      }),
    )
  })

  it('is nothing but digits', () => {
    for (const value of [
      '',
      'a',
      '1 2',
      '-1',
      -1,
      1.5,
      1e21,
      Number.MAX_SAFE_INTEGER + 1,
      NaN,
      '1'.repeat(33),
      null,
    ])
      expect(E.isLeft(read(value)), String(value)).to.equal(true)
  })
})
