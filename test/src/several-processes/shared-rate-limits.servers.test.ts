import { after, describe } from 'mocha'
import { describeSharedRateLimits } from './shared-rate-limits.js'
import { machinesOn, sharedStores, type Machines } from './shared-stores.js'

describe('several processes on one MongoDB', function () {
  this.timeout(120_000)
  let machines: Machines
  after(() => machines.remove())

  describeSharedRateLimits(async (environment) => {
    machines = machinesOn(await sharedStores())
    return [await machines.start(environment), await machines.start(environment)]
  })
})
