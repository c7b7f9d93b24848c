/** The storms on MongoDB and MinIO, for a few rounds. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { seededRandom } from '../durability/random.js'
import { storms } from './run-storm.js'
import { serverStores } from './storm-stores.js'

const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)

describe('a storm on MongoDB and MinIO', function () {
  this.timeout(900_000)

  for (const name of ['kills', 'two-processes'] as const)
    it(`of ${name}: nothing acknowledged is lost, nothing is half-written (STORM_SEED=${seed})`, async () => {
      const stores = await serverStores()
      const rounds = 3
      const result = await storms[name]({
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
