/** The service as `npm start` runs it, without configuration. */
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { launchService, withDirectory } from './program.js'

describe('a service without configuration', function () {
  this.timeout(30_000)

  it('limits the rate of requests', async () => {
    await withDirectory(async (directory) => {
      const service = await launchService({ DATA_DIR: join(directory, 'data') })
      const { headers } = await createApi(service.url).get('/openapi.json')
      expect(headers).to.include({
        'ratelimit-policy': '"address";q=600;w=60',
        ratelimit: '"address";r=599;t=60',
      })
      await service.stop()
    })
  })
})
