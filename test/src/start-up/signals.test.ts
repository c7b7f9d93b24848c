/** SIGTERM lets running requests end within ten seconds. A second SIGTERM does not wait. */
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createApi } from '../harness/http-client.js'
import {
  runNpmStart,
  runService,
  launchService,
  withDirectory,
  type ProcessResult,
  type RunningService,
} from './program.js'
import { tokenFor, type Key } from './token.js'

const key: Key = { api_key: 'operator', api_secret: 'a-secret-of-the-operator' }
const bootstrap = { BOOTSTRAP_API_KEY: key.api_key, BOOTSTRAP_API_SECRET: key.api_secret }

type Upload = {
  readonly send: (data: string) => void
  /** The response. Rejects if the connection is closed before. */
  readonly response: Promise<number>
}

/** Starts an upload of ten bytes, and sends the first four. */
const beginUpload = async (service: RunningService, file: string): Promise<Upload> => {
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
const waitUntilRefused = async ({ url }: RunningService): Promise<void> => {
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
  let DATA_DIR = ''
  const uploaded: string[] = []
  let neverEnding: Promise<ProcessResult & { readonly seconds: number; readonly broken: string }>

  before(async () => {
    DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-signals-'))
    // A shutdown may take long, so it runs concurrently with the other tests.
    const service = await launchService({ DATA_DIR, ...bootstrap })
    const { response } = await beginUpload(service, randomUUID())
    const broken = response.then(String, String)
    const began = performance.now()
    neverEnding = service
      .stop()
      .then(async (ending) => ({ ...ending, seconds: secondsSince(began), broken: await broken }))
  })
  after(() => rm(DATA_DIR, { recursive: true, force: true }))

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`${signal}, sent twice as npm does: refuses connections, completes the upload, exits with 0`, async () => {
      const service = await launchService({ DATA_DIR, ...bootstrap })
      const file = randomUUID()
      const { send, response } = await beginUpload(service, file)
      service.signal(signal)
      service.signal(signal)
      await waitUntilRefused(service)
      const began = performance.now()
      send(' bytes')
      expect(await response).to.equal(200)
      const { code, error } = await service.ended
      expect(secondsSince(began)).to.be.lessThan(5)
      expect({ code, error }).to.deep.equal({ code: 0, error: '' })
      uploaded.push(file)
    })

  it('stores an upload that was completed during shutdown', async () => {
    const service = await launchService({ DATA_DIR, ...bootstrap })
    const api = createApi(`${service.url}/1`, await tokenFor(service.url, key))
    expect(uploaded).to.have.length(2)
    for (const file of uploaded) expect((await api.get(`/files/${file}`)).object['byte_size']).to.equal(10)
    await service.stop()
  })

  it('SIGTERM to npm reaches the service, and npm waits for it, exit 0', async () => {
    const npm = runNpmStart({ DATA_DIR, LOG_LEVEL: 'info', ...bootstrap })
    const [, url = ''] = await npm.printed(/listens on (http:\S+)\n[^]*\n\n/)
    npm.signal('SIGTERM')
    const { code, error } = await npm.ended
    expect(code, error).to.equal(0)
    expect(error).to.match(/"event":"stopping"[^]*"event":"stopped"/)
    // Only the level debug has store calls (log.test.ts).
    expect(error).to.not.include('store call')
    expect(await isRefused(url)).to.equal(true)
  })

  it('a second SIGTERM stops waiting immediately', async () => {
    const service = await launchService({ DATA_DIR, ...bootstrap })
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

  it('SIGTERM during the first start exits with 0, and the next start completes it', () =>
    withDirectory(async (directory) => {
      const starting = runService({ DATA_DIR: directory, ...bootstrap })
      while (!(await exists(join(directory, 'documents.sqlite')))) await setTimeout(2)
      starting.signal('SIGTERM')
      const { code, error } = await starting.ended
      expect({ code, error }).to.deep.equal({ code: 0, error: '' })
      const service = await launchService({ DATA_DIR: directory, ...bootstrap })
      const api = createApi(`${service.url}/1`, await tokenFor(service.url, key))
      expect((await api.get('/content?rpp=100')).object['items']).to.have.length(11)
      await service.stop()
    }))

  it('an upload that never ends delays the end by less than ten seconds', async () => {
    const { code, error, seconds, broken } = await neverEnding
    expect({ code, error }).to.deep.equal({ code: 0, error: '' })
    expect(seconds).to.be.within(8, 10)
    expect(broken).to.match(/ECONNRESET|socket hang up/)
  })
})
