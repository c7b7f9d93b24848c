import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { fromBase64url, toBase64url } from './base64url.js'

describe('base64url', () => {
  it('has the same text again, and only characters that are never escaped', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const encoded = toBase64url(text)
        expect(encoded).to.match(/^[A-Za-z0-9_-]+$/)
        expect(encodeURIComponent(encoded)).to.equal(encoded)
        expect(fromBase64url(encoded)).to.equal(text.toWellFormed())
      }),
    ))

  it('is not read from another alphabet, with padding, or as text that is not UTF-8', () => {
    expect(toBase64url('??>>')).to.equal('Pz8-Pg')
    for (const wrong of ['', 'Pz8+Pg', 'Pz8-Pg==', 'Pz8-Pg%3D', 'Pz8 Pg', 'P', '_w', 'ä'])
      expect(fromBase64url(wrong), wrong).to.equal(null)
  })
})
