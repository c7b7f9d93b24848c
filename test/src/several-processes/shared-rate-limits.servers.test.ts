import { after, describe } from 'mocha'
import { describeSharedRateLimits } from './shared-rate-limits.js'
import { serviceHostsOn, sharedStores, type ServiceHosts } from './shared-stores.js'

describe('several processes on one MongoDB', function () {
  this.timeout(120_000)
  let machines: ServiceHosts
  after(() => machines.remove())

  describeSharedRateLimits(async (environment) => {
    machines = serviceHostsOn(await sharedStores())
    return [await machines.start(environment), await machines.start(environment)]
  })
})
