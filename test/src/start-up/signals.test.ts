/** SIGTERM lets running requests end within ten seconds. A second SIGTERM does not wait. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, rm } from 'node:fs/promises'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { filesystemBlobStore } from '@publishing-service/adapter-filesystem'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import { bootstrapKey } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { putBlob } from '../harness/open-stores.js'
import { copyFirstData, startTestService } from '../harness/start-test-service.js'
import { storeFile } from '../harness/stored-files.js'
import {
  runNpmStart,
  runService,
  launchService,
  withDirectory,
  type ProcessResult,
  type RunningService,
} from './program.js'
import { tokenFor, type Key } from './token.js'

const key: Key = { api_key: bootstrapKey.key, api_secret: bootstrapKey.secret }

type Address = Pick<RunningService, 'url'>

type Upload = {
  readonly send: (data: string) => void
  /** The response. Rejects if the connection is closed before. */
  readonly response: Promise<number>
}

/** Starts an upload of ten bytes, and sends the first four. */
const beginUpload = async (service: Address, file: string): Promise<Upload> => {
  const token = await tokenFor(service.url, key)
  const api = createApi(`${service.url}/1`, token)
  await api.put(`/files/${file}`, { title: 'Slow', filename: 'slow.txt' })
  const outgoing = request(`${service.url}/1/files/${file}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/plain',
      'Content-Length': 10,
      // The service responds with 100 once it has read the head of the request.
      Expect: '100-continue',
    },
  })
  const response = new Promise<number>((resolve, reject) => {
    outgoing.once('response', (incoming: IncomingMessage) => {
      incoming.resume()
      incoming.once('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.once('error', reject)
  })
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.write('slow')
  return { send: (data) => void outgoing.end(data), response }
}

const answered = async (running: ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(running, 'response')) as [IncomingMessage]
  return response
}

const isRefused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })

/** Resolves when the service refuses new connections. */
const waitUntilRefused = async ({ url }: Address): Promise<void> => {
  while (!(await isRefused(url))) await setTimeout(5)
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

describe('signals', function () {
  this.timeout(30_000)
  let folder: DataFolder
  let DATA_DIR = ''
  const agent = new Agent({ keepAlive: true })
  const uploaded: string[] = []
  const written = randomUUID()
  let neverEnding: Promise<ProcessResult & { readonly seconds: number; readonly broken: string }>

  before(async () => {
    folder = await makeFilledFolder()
    DATA_DIR = folder.path
    // A shutdown may take long, so it runs concurrently with the other tests.
    const service = await launchService({ DATA_DIR })
    const { response } = await beginUpload(service, randomUUID())
    const broken = response.then(String, String)
    const began = performance.now()
    service.signal('SIGTERM')
    neverEnding = service.ended.then(async (ending) => ({
      ...ending,
      seconds: secondsSince(began),
      broken: await broken,
    }))
  })
  after(() => agent.destroy())
  after(() => folder.remove())

  it('SIGINT, sent twice as npm does: refuses connections, completes running requests, exits with 0', async () => {
    const service = await launchService({ DATA_DIR })
    const token = await tokenFor(service.url, key)
    const large = Buffer.alloc(20_000_000, 'x')
    const stored = await storeFile(createApi(`${service.url}/1`, token), {
      filename: 'large.zip',
      mimetype: 'application/zip',
      data: large,
    })
    const begin = (method: string, path: string): ClientRequest =>
      request(`${service.url}/1${path}`, {
        agent,
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      })
    const writing = begin('PUT', `/content/${written}`)
    writing.write('{"content_type": "article", "title": "The last one",')
    const response = answered(writing)
    // An idle connection does not delay the end.
    ;(await answered(begin('GET', '/sections').end())).resume()
    const download = await answered(begin('GET', stored.download).end())
    const file = randomUUID()
    const upload = await beginUpload(service, file)

    service.signal('SIGINT')
    service.signal('SIGINT')
    await waitUntilRefused(service)
    const began = performance.now()
    upload.send(' bytes')
    expect(await upload.response).to.equal(200)
    writing.end(`"urlname": "${written}"}`)
    expect((await response).resume().statusCode).to.equal(200)
    let received = 0
    for await (const chunk of download as AsyncIterable<Buffer>) received += chunk.length
    expect(received).to.equal(large.length)
    const { code, error } = await service.ended
    expect(secondsSince(began)).to.be.lessThan(5)
    expect({ code, error }).to.deep.equal({ code: 0, error: '' })
    uploaded.push(file)
  })

  it('SIGTERM to npm reaches the service, which completes the upload, and npm waits for it, exit 0', async () => {
    const npm = runNpmStart({ DATA_DIR, LOG_LEVEL: 'info' })
    const [, url = ''] = await npm.printed(/listens on (http:\S+)\n[^]*\n\n/)
    const file = randomUUID()
    const { send, response } = await beginUpload({ url }, file)
    npm.signal('SIGTERM')
    await waitUntilRefused({ url })
    send(' bytes')
    expect(await response).to.equal(200)
    const { code, error } = await npm.ended
    expect(code, error).to.equal(0)
    expect(error).to.match(/"event":"stopping"[^]*"event":"stopped"/)
    // Only the level debug has store calls (first-start.test.ts).
    expect(error).to.not.include('store call')
    expect(await isRefused(url)).to.equal(true)
    uploaded.push(file)
  })

  it('data that was completed during a shutdown is stored', async () => {
    const service = await startTestService({ DATA_DIR })
    const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
    expect(uploaded).to.have.length(2)
    for (const file of uploaded) expect((await api.get(`/files/${file}`)).object['byte_size']).to.equal(10)
    expect((await api.get(`/content/${written}`)).object['title']).to.equal('The last one')
    await service.stop()
  })

  it('a second SIGTERM stops waiting immediately', async () => {
    const service = await launchService({ DATA_DIR })
    const { response } = await beginUpload(service, randomUUID())
    const broken = response.then(String, String)
    service.signal('SIGTERM')
    await waitUntilRefused(service)
    // A second signal within half a second is treated as a repetition by npm.
    await setTimeout(600)
    const began = performance.now()
    service.signal('SIGTERM')
    expect((await service.ended).code).to.equal(0)
    expect(secondsSince(began)).to.be.lessThan(2)
    expect(await broken).to.match(/ECONNRESET|socket hang up/)
  })

  it('SIGTERM makes it not ready for SHUTDOWN_DELAY, while it serves; SIGINT does not wait, nor does a second signal', async () => {
    const services = [1, 2].map(() => launchService({ DATA_DIR, SHUTDOWN_DELAY: '300' }))
    const [one, other] = await Promise.all(services)
    if (one === undefined || other === undefined) throw new Error('no services')
    other.signal('SIGINT')
    expect((await other.ended).code).to.equal(0)
    one.signal('SIGTERM')
    const health = createApi(one.url)
    await waitFor('not ready', async () => ((await health.get('/health/ready')).status === 503 ? true : null))
    const token = await tokenFor(one.url, key)
    expectOk(await createApi(`${one.url}/1`, token).get('/sections'))
    // A second signal within half a second is treated as a repetition by npm.
    await setTimeout(600)
    one.signal('SIGTERM')
    expect((await one.ended).code).to.equal(0)
  })

  it('SIGTERM during a first start, here one that adopts file data, exits with 0, and the next start completes it', () =>
    withDirectory(async (directory) => {
      await copyFirstData(directory)
      const documents = join(directory, 'documents.sqlite')
      for (const end of ['', '-wal', '-shm']) await rm(`${documents}${end}`, { force: true })
      const blobs = await filesystemBlobStore({ directory: join(directory, 'blobs') })
      const orphan = `1/${randomUUID()}/upload/original`
      await putBlob({ blobs }, orphan, Buffer.from('of lost documents'))
      const starting = runService({ DATA_DIR: directory }, '--adopt-blobs')
      const { ended } = starting
      while (!(await exists(documents)) && starting.child.exitCode === null) await setTimeout(2)
      starting.signal('SIGTERM')
      const { code, error } = await ended
      expect({ code, error }).to.deep.equal({ code: 0, error: '' })
      expect(await blobs.size(orphan)())
        .to.have.property('right')
        .above(0)
      await blobs.close()
      const service = await startTestService({ DATA_DIR: directory })
      const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
      expect((await api.get('/content?rpp=100')).object['items']).to.have.length(12)
      await service.stop()
    }))

  it('an upload that never ends delays the end by less than ten seconds', async () => {
    const { code, error, seconds, broken } = await neverEnding
    expect({ code, error }).to.deep.equal({ code: 0, error: '' })
    expect(seconds).to.be.within(8, 10)
    expect(broken).to.match(/ECONNRESET|socket hang up/)
  })
})
