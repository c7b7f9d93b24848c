import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { sha256Checksum } from './this-machine.js'

const of = (...pieces: readonly (Uint8Array | string)[]): string => {
  const checksum = sha256Checksum()
  for (const piece of pieces) checksum.add(piece)
  return checksum.value()
}

describe('sha256Checksum', () => {
  it('is SHA-256, in 64 lower-case hexadecimal digits', () => {
    expect(of()).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(of('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('The same bytes return the same value, however they are split; a text counts as its UTF-8.', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (head, tail) => {
        const whole = Buffer.from(head + tail, 'utf8')
        expect(of(head, tail)).to.equal(of(whole))
        expect(of(whole.subarray(0, whole.length / 2), whole.subarray(whole.length / 2))).to.equal(of(whole))
      }),
    )
  })
})
