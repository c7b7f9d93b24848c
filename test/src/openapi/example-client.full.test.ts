/**
 * The example client: its types are generated from the document, it compiles with them, and it works with a
 * service.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { pngOf, pngSize } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { root } from '../documentation/documents.js'

const run = promisify(execFile)

const example = `${root}docs/example-client`
const key = { key: 'example-client', secret: 'a-secret-of-the-example-client' } as const

type Job = {
  readonly service: string
  readonly key: string
  readonly secret: string
  readonly image: Blob
}
type Done = {
  readonly titles: readonly string[]
  readonly article: string
  readonly thumbnail: Blob
}

describe('the example client', function () {
  this.timeout(180_000)
  let service: TestService
  before(async () => {
    service = await startTestService({
      STORE: 'memory',
      BLOBS: 'memory',
      BOOTSTRAP_API_KEY: key.key,
      BOOTSTRAP_API_SECRET: key.secret,
    })
    await run(process.execPath, [`${root}test/dist/openapi/write-document.js`, `${example}/openapi.json`])
    await run('npm', ['run', 'types'], { cwd: example })
    await run('npm', ['run', 'build'], { cwd: example })
  })
  after(() => service.stop())

  it('gets a token, lists, creates, uploads, and downloads a scaled image', async () => {
    const { doMainJob } = (await import(`${example}/dist/main-job.js`)) as {
      readonly doMainJob: (job: Job) => Promise<Done>
    }
    const image = new Blob([pngOf(800, 600)], { type: 'image/png' })
    const { titles, article, thumbnail } = await doMainJob({ service: service.url, ...key, image })
    expect(titles).to.have.lengthOf(3)
    expect(titles[0]).to.equal('Three Photographs of Far Away')
    expect(pngSize(new Uint8Array(await thumbnail.arrayBuffer()))).to.deep.equal({ width: 200, height: 150 })
    const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
    const { object } = expectOk(await api.get(`/content/${article}`))
    expect(object['title']).to.equal('Written by a client')
    expect(object['teaser_image_url']).to.be.a('string')
  })
})
