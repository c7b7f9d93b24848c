/** A service that is killed under load, twice: nothing acknowledged is lost, nothing is half-written. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { seededRandom } from '../durability/random.js'
import { killRemaining } from '../durability/service-process.js'
import { storms } from './run-storm.js'
import { embeddedStores } from './storm-stores.js'

const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)

describe('a service that is killed under load', function () {
  this.timeout(120_000)
  after(killRemaining)

  it(`has every acknowledged write, whole (STORM_SEED=${seed})`, async () => {
    const stores = await embeddedStores()
    const random = seededRandom(seed)
    const { findings, faults } = await storms.kills({ stores, rounds: 2, random, progress: () => undefined })
    await stores.remove()
    expect([...findings, ...faults]).to.deep.equal([])
  })
})
