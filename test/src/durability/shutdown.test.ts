/** SIGTERM: running requests are completed, and idle connections do not delay the end. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { pathBelow, uploadTo } from '../harness/stored-files.js'
import { makeFilledFolder, type DataFolder } from './data-folder.js'
import { fetchToken, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'
import { waitFor } from './wait-for.js'
import { putFile } from './written-objects.js'

/** Well below the nine seconds after which the service aborts running requests. */
const maxDuration = 5000

describe('shutdown', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  const agent = new Agent({ keepAlive: true })
  before(async () => {
    folder = await makeFilledFolder()
  })
  after(() => folder.remove())
  beforeEach(async () => {
    service = await startServiceProcess(folder.path)
    token = await fetchToken(service.url)
  })
  afterEach(killRemaining)
  after(() => agent.destroy())

  const begin = (method: string, path: string): ClientRequest =>
    request(`${service.url}/1${path}`, {
      agent,
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    })

  const answered = async (running: ClientRequest): Promise<IncomingMessage> => {
    const [response] = (await once(running, 'response')) as [IncomingMessage]
    return response
  }

  const refusesConnections = (): Promise<true | null> =>
    fetch(`${service.url}/health/live`).then(
      () => null,
      () => true,
    )

  it('completes the running request, stores its data, and ends soon after', async () => {
    const id = randomUUID()
    const running = begin('PUT', `/content/${id}`)
    running.write('{"content_type": "article", "title": "The last one",')
    const resting = begin('GET', '/sections').end()
    ;(await answered(resting)).resume()
    const started = performance.now()
    const stopping = service.stop()
    await waitFor('no new connections', refusesConnections)
    running.end(`"urlname": "${id}"}`)
    const response = await answered(running)
    response.resume()
    expect(response.statusCode).to.equal(200)
    expect(await stopping).to.equal(0)
    expect(performance.now() - started).to.be.below(maxDuration)
    service = await startServiceProcess(folder.path)
    const { object } = await createApi(`${service.url}/1`, token).get(`/content/${id}`)
    expect(object['title']).to.equal('The last one')
  })

  it('completes a running download', async () => {
    const api = createApi(`${service.url}/1`, token)
    const id = randomUUID()
    const bytes = 20_000_000
    await putFile(api, id, 'large')
    await uploadTo(api, id, 'application/zip', Buffer.alloc(bytes, 'x'))
    const { object } = await api.get(`/files/${id}`)
    const running = begin('GET', pathBelow(object['download_url'])).end()
    const response = await answered(running)
    let received = 0
    const stopping = service.stop()
    await waitFor('no new connections', refusesConnections)
    for await (const chunk of response as AsyncIterable<Buffer>) received += chunk.length
    expect(received).to.equal(bytes)
    expect(await stopping).to.equal(0)
  })
})
