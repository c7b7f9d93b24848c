/** The health endpoints during shutdown, and while a store is unavailable. */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { createApi } from '../harness/http-client.js'
import { moduleProviding, startTestService } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'

/** A connection with an incomplete request. */
const begunOn = async (url: string, path: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n`)
  return socket
}

const finished = (socket: Socket): Promise<string> => {
  socket.write('\r\n')
  return text(socket)
}

describe('health', () => {
  for (const part of ['document store', 'blob store'])
    it(`is live but not ready while the ${part} is unavailable, and ready afterwards`, async () => {
      let reachable = true
      const check = async () =>
        reachable ? E.right(undefined) : E.left(portFailure(part, new Error('connection refused')))
      const documents = memoryDocumentStore(collections)
      const blobs = memoryBlobStore()
      const service = await startTestService(
        {},
        {
          ...unscaled,
          ...(part === 'document store'
            ? { documents: moduleProviding(tokens.documents, { ...documents, check: () => check }) }
            : { blobs: moduleProviding(tokens.blobs, { ...blobs, check: () => check }) }),
        },
      )
      const api = createApi(service.url)
      expect((await api.get('/health/ready')).status).to.equal(200)
      reachable = false
      const rejected = await api.get('/health/ready')
      expect(rejected.status).to.equal(503)
      expect(rejected.headers['retry-after']).to.match(/^\d+$/)
      expect(rejected.object['error']).to.equal('unavailable')
      expect(rejected.object['error_description']).to.include(part)
      expect(rejected.text).to.not.include('connection refused')
      expect((await api.get('/health/live')).status).to.equal(200)
      reachable = true
      expect((await api.get('/health/ready')).status).to.equal(200)
      await service.stop()
    })

  it('is live but not ready during shutdown', async () => {
    const service = await startTestService()
    const [ready, live, head] = await Promise.all(
      ['/health/ready', '/health/live', '/health/ready'].map((path) => begunOn(service.url, path)),
    )
    if (ready === undefined || live === undefined || head === undefined) throw new Error('no connection')
    // Once the server has received the start of each request, the requests are active.
    await createApi(service.url).get('/health/live')
    const stopped = service.stop()
    const notReady = await finished(ready)
    expect(notReady).to.match(/^HTTP\/1\.1 503 .*\r\n/)
    expect(notReady).to.match(/^Retry-After: \d+\r$/m)
    expect(notReady).to.match(/^Connection: close\r$/m)
    expect(await finished(live)).to.match(/^HTTP\/1\.1 200 /)
    head.destroy()
    await stopped
  })
})
