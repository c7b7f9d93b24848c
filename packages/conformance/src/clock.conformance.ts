/** What every clock promises, as tests in the words of the port's comment. Call it from a mocha test file. */
import type { Clock } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'

export type ClockConformance = Conformance<'clock', () => Clock>

/** Declares the suite for one clock; see `Clock` in the ports for what it asks. */
export const clockConformance = (options: ClockConformance): void => {
  const { open, deviations = {} } = options
  declareContract('clock', options, 10_000, () => {
    describe('The time: milliseconds since 1970-01-01T00:00:00Z, never a fraction.', () => {
      it('whole milliseconds, each time', () => {
        const { now } = open()
        for (let look = 0; look < 1_000; look += 1) expect(Number.isSafeInteger(now())).to.equal(true)
      })
      const isMachines = deviations.set === undefined
      it(isMachines ? 'the time of this machine' : 'a time within a Date', () => {
        const { now } = open()
        const before = Date.now()
        const shown = now()
        const after = Date.now()
        if (isMachines) expect(shown).to.be.within(before, after)
        else expect(new Date(shown).getTime()).to.equal(shown)
      })
    })
  })
}
