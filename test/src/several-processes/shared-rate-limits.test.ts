import { after, describe } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { killRemaining, startServiceProcess } from '../durability/service-process.js'
import { describeSharedRateLimits } from './shared-rate-limits.js'

describe('several processes on one data folder', function () {
  this.timeout(60_000)
  let folder: DataFolder
  after(async () => {
    await killRemaining()
    await folder.remove()
  })

  describeSharedRateLimits(async (environment) => {
    folder = await makeDataFolder()
    const start = () => startServiceProcess(folder.path, environment)
    return [await start(), await start()]
  })
})
