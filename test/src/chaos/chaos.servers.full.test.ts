/** The scenarios on MongoDB and MinIO, for a few rounds. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { seededRandom } from '../durability/random.js'
import { scenarios } from './run-chaos-test.js'
import { serverStores } from './chaos-stores.js'

const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

describe('a chaos test on MongoDB and MinIO', function () {
  this.timeout(900_000)

  for (const name of ['kills', 'two-processes'] as const)
    it(`of ${name}: no acknowledged write is lost and none is applied in part (CHAOS_SEED=${seed})`, async () => {
      const stores = await serverStores()
      const rounds = 3
      const result = await scenarios[name]({
        stores,
        rounds,
        random: seededRandom(seed),
        progress: () => undefined,
      })
      expect(result.findings).to.deep.equal([])
      expect(result.faults).to.deep.equal([])
      expect(result.rounds).to.equal(rounds)
      await stores.remove()
    })
})
