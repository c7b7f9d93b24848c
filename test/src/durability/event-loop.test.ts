/**
 * CPU-intensive work does not block the event loop: the service responds to other requests while it hashes
 * secrets, scales an image or parses a large body. The tests measure event loop iterations, responses, and
 * processor time of the main thread, which depend little on the load of the machine.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { scryptSecrets } from '@publishing-service/adapter-system'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { longestEventLoopDelay } from '../harness/event-loop-delay.js'
import { createPublication } from '../harness/publication.js'
import { pngOf, pngSize } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** The maximum number of event loop iterations for a request, including those of the client. */
const iterationLimit = 100
/** The maximum event loop delay in units of the reference work, in the best of several attempts. */
const maxDelay = 12

/** About 20 milliseconds per hash, a tenth of the default. That is enough to detect blocking. */
const cost = { cost: 8192, blockSize: 8, parallelization: 1 } as const

type Count = { readonly responses: number; readonly mostIterations: number }

/** The number of event loop iterations until a promise settles. */
const countIterations = async (work: Promise<unknown>): Promise<number> => {
  let iterations = 0
  let settled = false
  const count = (): void => {
    iterations += 1
    if (!settled) setImmediate(count)
  }
  setImmediate(count)
  await work.finally(() => {
    settled = true
  })
  return iterations
}

describe('the event loop', function () {
  this.timeout(60_000)
  let service: TestService
  let api: Api
  let root: Api
  before(async () => {
    service = await startTestService({}, { secrets: scryptSecrets({ cost }) })
    api = (await createPublication(service)).admin
    root = createApi(service.url)
  })
  // A separate connection, because the others may all be waiting for responses.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => {
    agent.destroy()
    return service.stop()
  })

  const requestLiveness = async (): Promise<void> => {
    const [response] = (await once(request(`${service.url}/health/live`, { agent }).end(), 'response')) as [
      IncomingMessage,
    ]
    expect(response.statusCode).to.equal(200)
    await once(response.resume(), 'end')
  }

  /** Sends liveness requests until the work is done. */
  const countResponsesDuring = async (work: Promise<unknown>): Promise<Count> => {
    const progress = { done: false }
    const finished = work.finally(() => {
      progress.done = true
    })
    let responses = 0
    let mostIterations = 0
    while (!progress.done) {
      mostIterations = Math.max(mostIterations, await countIterations(requestLiveness()))
      responses += 1
    }
    await finished
    return { responses, mostIterations }
  }

  it('is not blocked while many wrong secrets are checked', async () => {
    const attempt = (): Promise<ApiResponse> =>
      root.send('POST', '/oauth/token', {
        body: `grant_type=client_credentials&api_key=${randomUUID()}&api_secret=wrong-${randomUUID()}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    const attempts = Promise.all(Array.from({ length: 40 }, attempt))
    const { responses, mostIterations } = await countResponsesDuring(attempts)
    for (const { status } of await attempts) expect(status).to.be.oneOf([401, 429])
    expect(responses, 'answers in the meantime').to.be.above(20)
    expect(mostIterations).to.be.below(iterationLimit)
  })

  it('is not blocked while an image of 12 megapixels is scaled', async () => {
    const { download } = await storeFile(api, { filename: 'large.png', data: pngOf(4000, 3000) })
    const scaling = api.get(`${download}?w=400`)
    const { responses, mostIterations } = await countResponsesDuring(scaling)
    expect(pngSize(expectOk(await scaling).bytes)).to.deep.equal({ width: 400, height: 300 })
    expect(responses, 'answers in the meantime').to.be.above(10)
    expect(mostIterations).to.be.below(iterationLimit)
  })

  const paragraphs = '<p>A <em>word</em> and <a href="https://example.org/">a link</a>, and more words.</p>'
  const megabyte = (part: string): string => part.repeat(Math.floor(1_000_000 / part.length))

  it('is blocked only briefly by a body of one megabyte', async () => {
    const body = { content_type: 'article', title: 'Long', content: megabyte(paragraphs) }
    const write = (): Promise<ApiResponse> =>
      api.put(`/content/${randomUUID()}`, { ...body, urlname: randomUUID() })
    expectOk(await write())
    expect(await longestEventLoopDelay(write, maxDelay)).to.be.below(maxDelay)
  })

  it('is blocked only briefly by a body with too many keys or values', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const keys = `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(',')}}`
    const values = `{"title":[${'1,'.repeat(2_400_000)}1]}`
    for (const body of [keys, values]) {
      const write = (): Promise<ApiResponse> => api.send('POST', '/content', { body, headers })
      expect((await write()).status).to.equal(400)
      const delay = await longestEventLoopDelay(write, maxDelay / 2)
      expect(delay, body.slice(0, 100)).to.be.below(maxDelay / 2)
    }
  })

  it('is blocked only briefly by an invalid body of one megabyte', async () => {
    const bodies = [
      megabyte('{"a":['),
      `{"title":"${megabyte('\\u00')}"}`,
      `{${megabyte('"a":1,')}"a":1}`,
      JSON.stringify({ content_type: 'article', title: 'T', urlname: 'u', content: megabyte('<p><b></p>') }),
      JSON.stringify({ content_type: 'article', title: 'T', urlname: 'u', content: megabyte('<p>&x;') }),
    ]
    const headers = { 'Content-Type': 'application/json' }
    for (const body of bodies) {
      const write = (): Promise<ApiResponse> => api.send('POST', '/content', { body, headers })
      expect((await write()).status).to.equal(400)
      const delay = await longestEventLoopDelay(write, maxDelay)
      expect(delay, body.slice(0, 100)).to.be.below(maxDelay)
    }
  })
})
