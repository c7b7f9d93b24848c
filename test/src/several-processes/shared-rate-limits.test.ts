/** Processes share their rate limits: requests that a client sends to one count in the others too. */
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { startService, type Service } from '@publishing-service/composition-root'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import { killRemaining, startServiceProcess, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { createApi, type ApiResponse } from '../harness/http-client.js'
import { configurationOf } from '../harness/start-test-service.js'

const limit = 40

describe('several processes on one data folder', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let one: ServiceProcess
  let other: Service
  before(async () => {
    folder = await makeFilledFolder()
    const environment = { RATE_LIMIT: 'shared', RATE_LIMIT_ADDRESS: String(limit) }
    one = await startServiceProcess(folder.path, environment)
    // This process is the other one. It has the clock of the system, as the rates are measured with it.
    const own = { DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'error', ...environment }
    other = await startService(configurationOf(own))
  })
  after(async () => {
    await other.stop()
    await killRemaining()
    await folder.remove()
  })

  it('share the counts of a client, and together accept at most twice its limit', async () => {
    let answered = 0
    const ask = async ({ url }: Pick<Service, 'url'>): Promise<ApiResponse> => {
      const response = await createApi(url).get('/openapi.json')
      if (response.status === 200) answered += 1
      return response
    }
    await waitFor('half of the limit is used', async () => {
      await ask(one)
      return answered >= limit / 2 ? true : null
    })
    const usedOfOne = answered
    await waitFor('the other process hears of it', async () => {
      // Slowly enough that most of its limit is left when the counts are exchanged.
      await setTimeout(1000)
      const { status, headers } = await ask(other)
      const left = Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
      return status === 200 && left <= limit - answered ? true : null
    })
    expect(answered - usedOfOne).to.be.below(usedOfOne)
    await waitFor('both processes refuse for longer than an exchange', async () => {
      const both = [await ask(one), await ask(other)]
      return both.every(({ status, headers }) => status === 429 && Number(headers['retry-after']) > 1)
        ? true
        : null
    })
    expect(answered).to.be.within(limit, 2 * limit)
    expect(one.defects()).to.deep.equal([])
  })
})
