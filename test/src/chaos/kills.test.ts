/** A service that is killed under load, twice: no acknowledged write is lost and none is applied in part. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { seededRandom } from '../durability/random.js'
import { killRemaining } from '../durability/service-process.js'
import { scenarios } from './run-chaos-test.js'
import { embeddedStores } from './chaos-stores.js'

const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

describe('a service that is killed under load', function () {
  this.timeout(120_000)
  after(killRemaining)

  it(`has every acknowledged write (CHAOS_SEED=${seed})`, async () => {
    const stores = await embeddedStores()
    const random = seededRandom(seed)
    const { findings, faults } = await scenarios.kills({
      stores,
      rounds: 2,
      random,
      progress: () => undefined,
    })
    await stores.remove()
    expect([...findings, ...faults]).to.deep.equal([])
  })
})
