/** A scenario of the chaos test for a few rounds, as a test. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { seededRandom } from '../durability/random.js'
import { killRemaining } from '../durability/service-process.js'
import type { ChaosStores } from './chaos-stores.js'
import { scenarios } from './run-chaos-test.js'

/** CHAOS_SEED repeats a run with the same random choices. */
export const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

export const describeScenario = (
  name: keyof typeof scenarios,
  open: () => Promise<ChaosStores>,
  rounds: number,
): void => {
  describe(`the chaos test with ${name}`, function () {
    this.timeout(900_000)
    after(killRemaining)

    it(`loses no acknowledged write and applies none in part (CHAOS_SEED=${seed})`, async () => {
      const stores = await open()
      const result = await scenarios[name]({ stores, rounds, random: seededRandom(seed) })
      expect(result.findings).to.deep.equal([])
      expect(result.rounds).to.equal(rounds)
      await stores.remove()
    })
  })
}
