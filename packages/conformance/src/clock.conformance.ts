/** The contract of the port `Clock` as a mocha suite. */
import type { Clock } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { type Conformance, declareContract } from './contract.js'

export type ClockConformance = Conformance<'clock', () => Clock>

/** Declares the suite for one clock. */
export const clockConformance = (options: ClockConformance): void => {
  const { open, deviations = {} } = options
  declareContract('clock', options, 10_000, () => {
    describe('The time: milliseconds since 1970-01-01T00:00:00Z, never a fraction.', () => {
      it('whole milliseconds', () => {
        const { now } = open()
        for (let reading = 0; reading < 1_000; reading += 1)
          expect(Number.isSafeInteger(now())).to.equal(true)
      })
      const isMachines = deviations.simulated === undefined
      it(isMachines ? 'the time of this machine' : 'a time that a Date can represent', () => {
        const { now } = open()
        const before = Date.now()
        const shown = now()
        const after = Date.now()
        if (isMachines) expect(shown).to.be.within(before, after)
        else expect(new Date(shown).getTime()).to.equal(shown)
      })
    })

    describe('Elapsed time: milliseconds since an arbitrary start; it never decreases, whatever happens to the wall clock.', () => {
      it('a finite number that never decreases', () => {
        const { monotonic } = open()
        let previous = monotonic()
        for (let reading = 0; reading < 1_000; reading += 1) {
          const current = monotonic()
          expect(Number.isFinite(current)).to.equal(true)
          expect(current).to.be.at.least(previous)
          previous = current
        }
      })
    })

    it('Waiting: it resolves once so many milliseconds have elapsed.', async () => {
      const { wait, monotonic } = open()
      const begun = monotonic()
      const milliseconds = deviations.simulated === undefined ? 20 : 0
      await wait(milliseconds)
      // Timers may be early by a fraction of a millisecond.
      expect(monotonic() - begun).to.be.above(milliseconds - 1)
    })

    describe('A turn: work that awaits one before each of its slices lets the event loop handle input in between, however many tasks do so.', () => {
      it('several workers: input is handled between their slices', async () => {
        const { turn } = open()
        const busy = (): void => {
          for (const end = performance.now() + 12; performance.now() < end;);
        }
        let done = 0
        let mostBetween = 0
        let before = 0
        const workers = Array.from({ length: 5 }, async () => {
          for (let slice = 0; slice < 3; slice += 1) {
            await turn()
            busy()
            done += 1
          }
        })
        const finished = { yes: false }
        const all = Promise.all(workers).then(() => (finished.yes = true))
        while (!finished.yes) {
          await new Promise((resolve) => setImmediate(resolve))
          mostBetween = Math.max(mostBetween, done - before)
          before = done
        }
        await all
        expect(done).to.equal(15)
        expect(mostBetween).to.be.at.most(2)
      })

      it('immediately if nothing else is running', async () => {
        const { turn } = open()
        let isLater = false
        setImmediate(() => (isLater = true))
        await turn()
        expect(isLater).to.equal(false)
      })
    })
  })
}
