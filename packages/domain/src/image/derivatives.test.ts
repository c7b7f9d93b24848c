/** The names of derivatives, and which of them have to go. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { derivativeName, surplusDerivatives } from './derivatives.js'

describe('derivatives', () => {
  it('share a name exactly if size and adapter are the same', () => {
    expect(derivativeName({ width: 40, height: 30 }, 'jimp-2')).to.equal('40x30-jimp-2')
    expect(derivativeName({ width: 40, height: 30 }, 'sharp-1')).to.not.equal('40x30-jimp-2')
  })

  it('over the bound are those that were used least recently', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { maxLength: 30 }),
        fc.integer({ min: 0, max: 20 }),
        (uses, most) => {
          const kept = uses.map((lastUsed, at) => ({ key: String(at), lastUsed }))
          const surplus = surplusDerivatives(kept, most)
          expect(surplus).to.have.lengthOf(Math.max(0, kept.length - most))
          const left = kept.filter((each) => !surplus.includes(each))
          for (const gone of surplus)
            for (const each of left) expect(gone.lastUsed).to.be.at.most(each.lastUsed)
        },
      ),
    )
  })
})
