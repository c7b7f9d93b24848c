import { after, describe } from 'mocha'
import { declareSharedRates } from './declare-shared-rates.js'
import { machinesOn, sharedStores, type Machines } from './shared-stores.js'

describe('several processes on one MongoDB', function () {
  this.timeout(120_000)
  let machines: Machines
  after(() => machines.remove())

  declareSharedRates(async (environment) => {
    machines = machinesOn(await sharedStores())
    return [await machines.start(environment), await machines.start(environment)]
  })
})
