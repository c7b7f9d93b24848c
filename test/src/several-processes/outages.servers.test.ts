/**
 * A service whose database or blob store fails under load in several services and recovers. Meanwhile it responds in
 * bounded time, with 503 where necessary. Acknowledged writes are not lost, and no restart is needed.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { killsOf, sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { seededRandom } from '../durability/random.js'
import { fetchToken, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { storeFile, type StoredFile } from '../harness/stored-files.js'
import { pngOf } from '../harness/small-files.js'
import {
  startMinio,
  startPostgresql,
  unreliableConnection,
  type MinioServer,
  type PostgresqlServer,
  type UnreliableConnection,
} from '../../servers/dist/index.js'
import { createWriters, type ServiceClient, type Writers } from '../durability/writers.js'
import { serviceHostsOn, type ServiceHosts } from './shared-stores.js'

const fresh = { 'Cache-Control': 'no-cache' }

/** A store call times out after ten seconds without data. A request makes a few calls in sequence. */
const storeTimeout = 10_000
const requestTimeout = 3 * storeTimeout

const mebibyte = 1024 * 1024

const random = seededRandom(Date.now() % 1_000_000)

type Part = 'database' | 'blob store'
/** The names of the parts in messages for operators. */
const partNames = { database: 'document store', 'blob store': 'blob store' } as const satisfies Record<
  Part,
  string
>
type Outage = {
  readonly name: string
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
}

/** Resident memory of the process, in bytes. */
const residentBytes = async (pid: number): Promise<number> => {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

describe('a service whose stores fail', function () {
  this.timeout(900_000)
  let postgresql: PostgresqlServer
  let minio: MinioServer
  let lines: Readonly<Record<Part, UnreliableConnection>>
  let machines: ServiceHosts
  let service: ServiceProcess
  let token: string
  let api: Api
  before(async () => {
    ;[postgresql, minio] = await Promise.all([startPostgresql(), startMinio()])
    const database = `outages-${randomUUID()}`
    await postgresql.createDatabase(database)
    lines = {
      database: await unreliableConnection(postgresql.address),
      'blob store': await unreliableConnection(minio.address),
    }
    machines = serviceHostsOn({
      STORE: 'postgresql',
      BLOBS: 'minio',
      POSTGRESQL_URL: postgresql.url(database, lines.database.address),
      MINIO_URL: minio.url(lines['blob store'].address),
      MINIO_ACCESS_KEY: minio.accessKey,
      MINIO_SECRET_KEY: minio.secretKey,
      MINIO_BUCKET: `outages-${randomUUID()}`,
    })
    service = await machines.start()
    token = await fetchToken(service.url)
    api = createApi(`${service.url}/1`, token)
  })
  afterEach(async () => {
    Object.values(lines).forEach((line) => line.restore())
    await ready()
  })
  after(async () => {
    try {
      expect(service.defects()).to.deep.equal([])
      expect(await service.stop()).to.equal(0)
    } finally {
      await machines.remove()
      await Promise.all(Object.values(lines).map((line) => line.close()))
      await Promise.all([postgresql.dispose(), minio.dispose()])
    }
  })

  /** Waits until the service is ready, as a load balancer does. */
  const ready = (): Promise<true> =>
    waitFor('ready again', async () => {
      const { status } = await createApi(service.url).get('/health/ready')
      return status === 200 ? true : null
    })

  /** Expects a response within the time limit. */
  const timely = async (request: Promise<ApiResponse>): Promise<ApiResponse> => {
    const start = performance.now()
    const response = await request
    expect(performance.now() - start, `milliseconds of ${response.method} ${response.path}`).to.be.below(
      requestTimeout,
    )
    return response
  }

  /** Expects a 503 with Retry-After that names the unavailable part. */
  const expectUnavailable = (response: ApiResponse, part: Part): void => {
    expectError(response, 503, 'unavailable')
    expect(response.object['error_description']).to.include(partNames[part])
    expect(response.headers['retry-after']).to.match(/^[1-9]\d*$/)
  }

  /** The request wrapper of the writers: each response is in time, and an error is a valid 503. */
  const asWriter = (part: Part, rejected: () => void): ServiceClient => {
    const send: Api['send'] = async (method, path, options) => {
      const response = await timely(api.send(method, path, options))
      if (response.status === 503) {
        expectUnavailable(response, part)
        rejected()
      }
      return response
    }
    const json =
      (method: string): Api['put'] =>
      (path, value, headers) =>
        send(method, path, {
          body: JSON.stringify(value),
          headers: { 'Content-Type': 'application/json', ...headers },
        })
    const get: Api['get'] = (path, headers = {}) => send('GET', path, { headers })
    const head: Api['head'] = (path, headers = {}) => send('HEAD', path, { headers })
    const remove: Api['delete'] = (path, headers = {}) => send('DELETE', path, { headers })
    const [put, patch, post] = [json('PUT'), json('PATCH'), json('POST')]
    return { url: service.url, api: { token, send, get, head, put, patch, post, delete: remove } }
  }

  const newWriters = (): Promise<Writers> => createWriters({ url: service.url, api }, random)

  const expectNothingLost = async (writers: Writers, writing: ReturnType<Writers['run']>): Promise<void> => {
    expect((await writing).flatMap(({ faults }) => faults)).to.deep.equal([])
    await ready()
    expect(await writers.verify({ url: service.url, api }, { lists: 'all' })).to.deep.equal([])
  }

  const outagesOf = (part: Part): readonly Outage[] => {
    const line = (): UnreliableConnection => lines[part]
    const server = () => (part === 'database' ? postgresql : minio)
    return [
      { name: 'cut off', begin: () => line().cut(), end: () => line().restore() },
      { name: 'silent', begin: () => line().stall(), end: () => line().restore() },
      { name: 'killed', begin: () => server().kill(), end: () => server().start() },
    ]
  }

  const parts = ['database', 'blob store'] as const
  const outages = parts.flatMap((part) => outagesOf(part).map((outage) => ({ part, ...outage })))
  const sampled = 1
  describe(`under writes${sampleTitle(sampled, outages.length)}`, () => {
    for (const { part, name, begin, end } of sampleFrom(outages, sampled))
      it(`${part} ${name}: 503 in time, not ready but live, no acknowledged write lost`, async () => {
        const writers = await newWriters()
        let refusals = 0
        let ending = false
        const rejected = (): void => void (refusals += 1)
        const writing = writers.run([asWriter(part, rejected)], () => ending)
        await waitFor('some writes', async () => (writers.acknowledged() > 40 ? true : null))
        await begin()
        const health = createApi(service.url)
        const [notReady, live] = await Promise.all([
          timely(health.get('/health/ready')),
          health.get('/health/live'),
        ])
        expectUnavailable(notReady, part)
        expectStatus(live, 200)
        const acknowledged = writers.acknowledged()
        // Requests that need only the other part succeed.
        if (part === 'blob store')
          await waitFor('articles are written', async () =>
            writers.acknowledged() > acknowledged + 10 ? true : null,
          )
        await waitFor('a refusal', async () => (refusals > 0 ? true : null))
        await end()
        ending = true
        await expectNothingLost(writers, writing)
      })
  })

  for (const part of parts)
    it(`${part} connections reset under writes: success or 503, no acknowledged write lost`, async () => {
      const writers = await newWriters()
      let refusals = 0
      const rejected = (): void => void (refusals += 1)
      const writing = writers.run([asWriter(part, rejected)], () => writers.acknowledged() > 40)
      await waitFor('some writes', async () => (writers.acknowledged() > 20 || refusals > 0 ? true : null))
      lines[part].reset()
      await expectNothingLost(writers, writing)
    })

  const kills = killsOf(2)
  it(`database killed under writes, ${kills} times in sequence: success or 503, no acknowledged write lost`, async () => {
    const writers = await newWriters()
    for (let kill = 1; kill <= kills; kill += 1) {
      let ending = false
      const writing = writers.run([asWriter('database', () => undefined)], () => ending)
      const enough = writers.acknowledged() + random.below(80)
      await waitFor('some writes', async () => (writers.acknowledged() > enough ? true : null))
      await postgresql.kill()
      if (kill % 2 === 0) await postgresql.start()
      else {
        await postgresql.startAsStandby()
        await setTimeout(random.below(500))
        await postgresql.promote()
      }
      const restarted = writers.acknowledged()
      await waitFor('writes again', async () => (writers.acknowledged() > restarted + 10 ? true : null))
      ending = true
      await expectNothingLost(writers, writing)
    }
  })

  it('silent database: many concurrent requests end in time with bounded memory', async () => {
    expectOk(await api.get('/content', fresh))
    const held = await residentBytes(service.pid)
    lines.database.stall()
    const start = performance.now()
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const id = randomUUID()
        const content = `<p>${'x'.repeat(50_000)}</p>`
        const article = { content_type: 'article', title: 'x', urlname: id, content }
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...fresh }
        // Each on a separate connection.
        const response = await (index % 2 === 0
          ? fetch(`${service.url}/1/content?rpp=100&page=${index + 1}`, { headers })
          : fetch(`${service.url}/1/content/${id}`, {
              method: 'PUT',
              headers,
              body: JSON.stringify(article),
            }))
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(performance.now() - start).to.be.below(requestTimeout)
    expect([...new Set(statuses)]).to.deep.equal([503])
    expect((await residentBytes(service.pid)) - held, 'bytes more').to.be.below(150 * mebibyte)
  })

  it('silent blob store: many concurrent uploads end in time and buffer one part each', async () => {
    const ids = Array.from({ length: 16 }, () => randomUUID())
    for (const id of ids) expectOk(await api.put(`/files/${id}`, { title: 'x', filename: 'x.zip' }))
    const body = Buffer.alloc(24 * mebibyte, 'x')
    const held = await residentBytes(service.pid)
    lines['blob store'].stall()
    const responses = await Promise.all(
      ids.map((id) =>
        timely(api.send('POST', `/files/${id}`, { body, headers: { 'Content-Type': 'application/zip' } })),
      ),
    )
    for (const response of responses) expectUnavailable(response, 'blob store')
    expect((await residentBytes(service.pid)) - held, 'bytes more').to.be.below(150 * mebibyte)
  })

  describe('images and downloads during an outage of the blob store', () => {
    let image: StoredFile
    let large: StoredFile
    before(async () => {
      image = await storeFile(api, { data: pngOf(300, 200) })
      expectOk(await api.get(`${image.download}?w=30`))
      large = await storeFile(api, { data: Buffer.alloc(48 * mebibyte, 'x'), mimetype: 'application/zip' })
    })

    it('return 503, as do uploads', async () => {
      lines['blob store'].cut()
      const responses = await Promise.all([
        timely(api.get(`${image.download}?w=30`, fresh)),
        timely(api.get(`${image.download}?w=31`, fresh)),
        timely(api.get(image.download, fresh)),
        timely(
          api.send('POST', `/files/${image.id}`, {
            body: pngOf(20, 20),
            headers: { 'Content-Type': 'image/png' },
          }),
        ),
      ])
      for (const response of responses) expectUnavailable(response, 'blob store')
      // The metadata of the file needs no blobs.
      expectOk(await api.get(`/files/${image.id}`, fresh))
      lines['blob store'].restore()
      await ready()
      for (const width of [30, 31]) expectOk(await api.get(`${image.download}?w=${width}`, fresh))
      expectOk(await api.get(image.download, fresh))
    })

    it('are aborted if they have begun, so that the client detects it', async () => {
      const start = performance.now()
      const response = await fetch(`${service.url}/1${large.download}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      expect(response.status).to.equal(200)
      const reader = response.body?.getReader()
      await reader?.read()
      lines['blob store'].cut()
      const outcome = await (async () => {
        for (;;) {
          const chunk = await reader?.read()
          if (chunk === undefined || chunk.done) return 'the end'
        }
      })().catch((error: unknown) => (error instanceof Error ? 'broken off' : String(error)))
      expect(outcome).to.equal('broken off')
      expect(performance.now() - start).to.be.below(requestTimeout)
    })
  })
})
