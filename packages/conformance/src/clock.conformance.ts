/** What every clock promises, as tests in the words of the port's comment. Call it from a mocha test file. */
import type { Clock } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'

export type ClockConformance = {
  /** Names the clock in the report. */
  readonly name: string
  readonly open: () => Clock
  readonly deviations?: {
    /** The clock shows another time than the machine's. */
    readonly set?: string
  }
}

/** Defines the suite for one clock; see `Clock` in the ports for what it asks. */
export const clockConformance = ({ name, open, deviations = {} }: ClockConformance): void => {
  describe(`clock: ${name}`, () => {
    describe('The time: milliseconds since 1970-01-01T00:00:00Z, never a fraction.', () => {
      it('whole milliseconds, each time', () => {
        const { now } = open()
        for (let look = 0; look < 1_000; look += 1) expect(Number.isSafeInteger(now())).to.equal(true)
      })
      const reason = deviations.set
      it(reason === undefined ? 'the time of this machine' : `a time within a Date: ${reason}`, () => {
        const { now } = open()
        const before = Date.now()
        const shown = now()
        const after = Date.now()
        if (reason === undefined) expect(shown).to.be.within(before, after)
        else expect(new Date(shown).getTime()).to.equal(shown)
      })
    })
  })
}
