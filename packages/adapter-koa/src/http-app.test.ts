/** The application over stores in memory: what happens to a request before, besides and despite its operation. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { mock } from 'node:test'
import { memoryDocumentStore, recordingLog, type RecordingLog } from '@publishing-service/adapter-memory'
import { collections, type ReadRate, type Sessions, type UseCases } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { asyncRequestScopes } from '@publishing-service/adapter-system'
import { noMetrics, type RequestScopes } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createHttpApp } from './http-app.js'
import type { HttpOptions } from './http-options.js'
import type { ServiceState } from './service.js'
import { clock, createService, options } from './test-support/memory-service.js'
import { startTestServer, type TestResponse, type TestServer } from './test-support/test-server.js'

const admin = { Authorization: 'Bearer admin' }

const errorOf = ({ text }: TestResponse): unknown => {
  const body: unknown = JSON.parse(text)
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : null
}

describe('the HTTP application', () => {
  let servers: TestServer[]
  let log: RecordingLog
  let useCases: UseCases
  beforeEach(async () => {
    servers = []
    log = recordingLog('info')
    useCases = await createService(log)
  })
  afterEach(() => Promise.all(servers.map(({ close }) => close())))

  const serving = async (
    replaced: {
      readonly useCases?: UseCases
      readonly readRate?: ReadRate
      readonly options?: Partial<HttpOptions>
      readonly state?: ServiceState
      readonly requestScopes?: RequestScopes
    } = {},
  ): Promise<TestServer> => {
    const app = createHttpApp(
      replaced.useCases ?? useCases,
      replaced.readRate ?? null,
      { clock, log, metrics: noMetrics, requestScopes: replaced.requestScopes ?? null, traces: null },
      { ...options, ...replaced.options },
      replaced.state ?? { phase: 'serving' },
    )
    const server = await startTestServer(app.callback())
    servers.push(server)
    return server
  }

  const expectError = (response: TestResponse, status: number, error: string): void => {
    expect([response.status, errorOf(response)]).to.deep.equal([status, error])
    expect(response.headers['cache-control']).to.equal('no-store')
    expect(response.headers['x-request-id']).to.match(/^[\w.:-]+$/)
  }

  it('logs a slow request with its endpoint and what it has waited for', async () => {
    const requestScopes = asyncRequestScopes()
    const watched = await createService(log, memoryDocumentStore(collections), requestScopes)
    // Every request takes longer than this.
    const slow = { useCases: watched, requestScopes, options: { slowRequest: Number.MIN_VALUE } }
    const { send } = await serving(slow)
    expect((await send('GET', '/1/settings', admin)).status).to.equal(200)
    const lines = log.entries().filter(({ event }) => event === 'slow request')
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn'])
    expect(lines[0]?.fields).to.include({ method: 'GET', path: '/1/settings', status: 200 })
    expect(lines[0]?.fields['endpoint']).to.equal('readSettings')
    expect(lines[0]?.fields['storeCalls']).to.be.above(0)
    expect(lines[0]?.fields['storeMs']).to.be.a('number')
  })

  describe('returns an error for', () => {
    it('another method, with Allow, after it has checked the token', async () => {
      const { send } = await serving()
      const refused = await send('DELETE', '/1/settings', admin)
      expectError(refused, 405, 'method_not_allowed')
      expect(refused.headers.allow?.split(', ').toSorted()).to.deep.equal([
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'PUT',
      ])
      expectError(await send('DELETE', '/1/settings'), 401, 'unauthorized')
      expectError(await send('DELETE', '/1/settings', { Authorization: 'Bearer x' }), 401, 'invalid_token')
    })

    it('another method, with Allow, if no token is needed', async () => {
      const { send } = await serving()
      for (const headers of [{}, admin]) {
        const refused = await send('DELETE', '/health/live', headers)
        expectError(refused, 405, 'method_not_allowed')
        expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS')
      }
    })

    it('a method that no endpoint has', async () => {
      const { send } = await serving()
      expectError(await send('TRACE', '/1/settings', admin), 405, 'method_not_allowed')
      expectError(await send('PROPFIND', '/1/settings', admin), 405, 'method_not_allowed')
    })

    it('a type that the client does not accept, after it has checked the token', async () => {
      const { send } = await serving()
      const xml = { Accept: 'text/xml' }
      expectError(await send('GET', '/1/settings', { ...admin, ...xml }), 406, 'not_acceptable')
      expectError(await send('GET', '/1/settings', xml), 401, 'unauthorized')
      expectError(await send('GET', '/health/live', xml), 406, 'not_acceptable')
    })

    it('a removed path, with its replacement, after it has checked the token', async () => {
      const { send } = await serving()
      for (const method of ['GET', 'POST']) {
        expectError(await send(method, '/1/slideshows/x', admin), 410, 'gone')
        expectError(await send(method, '/1/slideshows/x'), 401, 'unauthorized')
      }
    })

    it('an unknown path, with or without a token', async () => {
      const { send } = await serving()
      for (const path of ['/1/nothing', '/nothing', '/0/settings', '/docs/nothing', '/1/settings/title/x'])
        for (const headers of [{}, admin]) expectError(await send('GET', path, headers), 404, 'not_found')
      expectError(await send('GET', '/2/settings', admin), 403, 'forbidden')
    })

    it('a client over its rate limit, with the remaining requests', async () => {
      const { send } = await serving({
        readRate: () => ({ policy: 'key', isAllowed: false, limit: 3, remaining: 0, seconds: 7 }),
      })
      const refused = await send('GET', '/1/settings', admin)
      expectError(refused, 429, 'too_many_requests')
      expect(refused.headers).to.include({ 'retry-after': '7', ratelimit: '"key";r=0;t=7' })
      expect((await send('GET', '/health/live')).status).to.equal(200)
    })

    it('a large response while too many wait to be sent, also a cached one; but no small one and no write', async () => {
      const article = `/1/content/${randomUUID()}`
      const body = {
        content_type: 'article',
        title: 'A',
        urlname: 'a',
        content: `<p>${'x'.repeat(20_000)}</p>`,
      }
      const file = `/1/files/${randomUUID()}`
      const { send } = await serving({ options: { unsentBytes: 10 } })
      const json = { ...admin, 'Content-Type': 'application/json' }
      expect((await send('PUT', article, json, JSON.stringify(body))).status).to.equal(200)
      await send('PUT', file, json, JSON.stringify({ title: 'F', filename: 'f.bin' }))
      const uploaded = await send('POST', file, { ...admin, 'Content-Type': 'x/y' }, 'x'.repeat(20_000))
      const download = new URL(String(/"download_url":"([^"]+)"/.exec(uploaded.text)?.[1])).pathname
      const large = [article, article, download, '/docs/errors', '/openapi.json']
      for (const path of large) {
        const refused = await send('GET', path, admin)
        expectError(refused, 503, 'unavailable')
        expect(refused.headers['retry-after'], path).to.equal('5')
        expect((await send('HEAD', path, admin)).status, path).to.equal(200)
      }
      for (const path of ['/health/live', '/1/settings'])
        expect((await send('GET', path, admin)).status, path).to.equal(200)
    })
  })

  it('responds to OPTIONS with the methods, without a token and without a body', async () => {
    const { send } = await serving()
    const { status, headers, text } = await send('OPTIONS', '/1')
    expect([status, text, headers.allow]).to.deep.equal([200, '', 'GET, HEAD, OPTIONS'])
    expectError(await send('OPTIONS', '/1/nothing'), 404, 'not_found')
  })

  it('serves the files of pages under any version, only with GET and HEAD', async () => {
    const { send } = await serving()
    const path = '/docs/assets/older/style.css'
    const { status, headers } = await send('GET', path)
    expect([status, headers['cache-control']]).to.deep.equal([200, 'public, max-age=300'])
    expect(headers['content-security-policy']).to.include("default-src 'none'")
    expect((await send('GET', path, { 'If-None-Match': String(headers.etag) })).status).to.equal(304)
    const refused = await send('POST', path)
    expectError(refused, 405, 'method_not_allowed')
    expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS')
    expect((await send('OPTIONS', path)).headers.allow).to.equal('GET, HEAD, OPTIONS')
    expectError(await send('GET', `${path}x`), 404, 'not_found')
  })

  describe('serves the dashboard', () => {
    it('as a page with a new nonce each time, which its policy and no other accepts', async () => {
      const { send } = await serving()
      const nonces = await Promise.all(
        [1, 2].map(async () => {
          const { status, headers, text } = await send('GET', '/dashboard/')
          expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8'])
          const policy = String(headers['content-security-policy'])
          const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? []
          expect(text).to.include(`nonce="${nonce}"`).and.not.include('NONCE')
          expect(policy).to.include("script-src 'self';").and.not.include('unsafe')
          expect(text).to.not.match(/<script(?![^>]*src=)|<style|\son\w+=/)
          return nonce
        }),
      )
      expect(new Set(nonces).size).to.equal(2)
    })

    it('below a path prefix, by relative addresses', async () => {
      const { send } = await serving()
      const { status, headers } = await send('GET', '/dashboard')
      expect([status, headers.location]).to.deep.equal([302, 'dashboard/'])
      const { text } = await send('GET', '/dashboard/')
      expect(text).to.not.match(/(?:src|href)="(?!\.\/)/)
    })

    it('with scripts and styles whose names change with their content', async () => {
      const { send } = await serving()
      const { text } = await send('GET', '/dashboard/')
      const addresses = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, each = '']) => each)
      const types = await Promise.all(
        addresses.map(async (address) => {
          const plain = await send('GET', `/dashboard/${address}`)
          const { status, headers } = await send('GET', `/dashboard/${address}`, {
            'Accept-Encoding': 'gzip',
          })
          const coding = plain.body.length < 1024 ? undefined : 'gzip'
          expect([status, headers['content-encoding']]).to.deep.equal([200, coding])
          expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable')
          expect(headers['content-security-policy']).to.include("default-src 'none'").and.not.include('nonce')
          return headers['content-type']
        }),
      )
      expect(types).to.include('text/javascript; charset=utf-8').and.include('text/css; charset=utf-8')
    })

    it('to HEAD, to no other method, and nothing at other paths', async () => {
      const { send } = await serving()
      const { status, text } = await send('HEAD', '/dashboard/')
      expect([status, text]).to.deep.equal([200, ''])
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const refused = await send(method, '/dashboard/')
        expectError(refused, 405, 'method_not_allowed')
        expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS')
      }
      for (const path of [
        '/dashboard/assets/none.js',
        '/dashboard/assets/%2e%2e%2findex.html',
        '/dashboard/x',
      ]) {
        const missing = await send('GET', path, admin)
        expectError(missing, 404, 'not_found')
        expect(missing.headers['content-security-policy'], path).to.include("default-src 'none'")
      }
    })
  })

  it('redirects browsers from the root to the documentation, and sends JSON to programs', async () => {
    const { send } = await serving({ options: { baseUrl: 'https://api.example.org' } })
    const { status, headers } = await send('GET', '/', { Accept: 'text/html,*/*;q=0.8' })
    expect([status, headers.location]).to.deep.equal([302, 'https://api.example.org/docs'])
    for (const accept of ['*/*', 'application/json', 'application/json, text/html'])
      expect((await send('GET', '/', { Accept: accept })).status, accept).to.equal(200)
    expectError(await send('GET', '/', { Accept: 'text/plain' }), 406, 'not_acceptable')
  })

  describe('serves from the cache', () => {
    const counting = () => {
      let runs = 0
      const { sessions } = useCases
      const open: Sessions['open'] = (operation, request) => {
        runs += 1
        return sessions.open(operation, request)
      }
      const missingToken: Sessions['missingToken'] = (...call) => sessions.missingToken(...call)
      return { useCases: { ...useCases, sessions: { open, missingToken } }, runs: () => runs }
    }

    it('nothing of a deleted instance, at once and within five seconds on another process', async () => {
      const documents = memoryDocumentStore(collections)
      const [deleting, other] = [await createService(log, documents), await createService(log, documents)]
      const [first, second] = [await serving({ useCases: deleting }), await serving({ useCases: other })]
      const read = async ({ send }: TestServer) =>
        (await Promise.all(['/1/sections', '/1/settings'].map((path) => send('GET', path, admin)))).map(
          ({ status }) => status,
        )
      for (const server of [first, second, first, second])
        expect(await read(server)).to.deep.equal([200, 200])
      const begun = await deleting.deleteInstance.begin({ number: 1, title: 'The Daily Test' })()
      expect(begun._tag).to.equal('Right')
      expect(await read(first)).to.deep.equal([404, 404])
      clock.advance(4000)
      expect(await read(second)).to.deep.equal([404, 404])
    })

    it('the same response with a separate request id, also for HEAD and 304', async () => {
      const counted = counting()
      const { send } = await serving(counted)
      const first = await send('GET', '/1/sections', admin)
      const again = await send('GET', '/1/sections', admin)
      const head = await send('HEAD', '/1/sections', admin)
      const unchanged = await send('GET', '/1/sections', {
        ...admin,
        'If-None-Match': String(first.headers.etag),
      })
      expect(counted.runs()).to.equal(1)
      const same = ({ status, headers: { date, 'x-request-id': id, ...rest } }: TestResponse) => {
        expect([date, id]).not.to.include(undefined)
        return { status, rest }
      }
      expect(same(again)).to.deep.equal(same(first))
      expect(same(head)).to.deep.equal(same(first))
      expect([again.text, head.text]).to.deep.equal([first.text, ''])
      expect(again.headers['x-request-id']).not.to.equal(first.headers['x-request-id'])
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).to.deep.equal([
        304,
        '',
        first.headers.etag,
      ])
    })

    it('nothing for If-None-Match: * if a response has no tag', async () => {
      const { send } = await serving()
      const { status, headers } = await send('GET', '/health/live', { 'If-None-Match': '*' })
      expect([status, headers.etag, headers['cache-control']]).to.deep.equal([200, undefined, 'no-store'])
    })

    it('no error, and nothing for an invalid token', async () => {
      const counted = counting()
      const { send } = await serving(counted)
      const path = `/1/sections/${randomUUID()}`
      for (const _time of [1, 2]) expectError(await send('GET', path, admin), 404, 'not_found')
      expect(counted.runs()).to.equal(2)
      await send('GET', '/1/sections', admin)
      expectError(await send('GET', '/1/sections', { Authorization: 'Bearer x' }), 401, 'invalid_token')
      expectError(await send('GET', '/1/sections'), 401, 'unauthorized')
    })

    it('small file data for a token, and no large file data', async () => {
      const path = '/1/files/default-thumbnail/audio'
      const { send: sendFirst } = await serving()
      const { length } = (await sendFirst('GET', path, admin)).body
      for (const [bytes, runs] of [
        [length * 64, 1],
        [length * 64 - 1, 2],
      ] as const) {
        const counted = counting()
        const { send } = await serving({ ...counted, options: { responseCacheBytes: bytes } })
        const first = await send('GET', path, admin)
        const again = await send('GET', path, admin)
        expect([first.status, counted.runs()]).to.deep.equal([200, runs])
        expect(again.body).to.deep.equal(first.body)
        for (const header of ['etag', 'cache-control', 'content-type', 'content-length', 'vary'])
          expect(again.headers[header], header).to.equal(first.headers[header])
        expect((await send('GET', path, { ...admin, Accept: 'image/png' })).body).to.deep.equal(first.body)
        const part = await send('GET', path, { ...admin, Range: 'bytes=0-3' })
        expect([part.status, part.body]).to.deep.equal([206, first.body.subarray(0, 4)])
      }
    })

    it('nothing after a write', async () => {
      const counted = counting()
      const { send } = await serving(counted)
      const before = await send('GET', '/1/sections', admin)
      const body = JSON.stringify({ title: 'News', urlname: 'news' })
      const json = { ...admin, 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
      expect((await send('POST', '/1/sections', json, body)).status).to.equal(200)
      expect((await send('GET', '/1/sections', admin)).text).not.to.equal(before.text)
    })
  })

  describe('turns a defect', () => {
    const failing = (fail: () => never): UseCases => ({
      ...useCases,
      sessions: { ...useCases.sessions, open: async () => fail() },
    })

    it('into a 500 without internal details, which are logged', async () => {
      const { send } = await serving({
        useCases: failing(() => {
          throw new TypeError('the password is in /srv/internal.ts')
        }),
      })
      const response = await send('GET', '/1/settings', { ...admin, 'X-Request-Id': 'mine' })
      expectError(response, 500, 'internal_error')
      expect(JSON.stringify([response.text, response.headers])).not.to.match(
        /password|internal\.ts|TypeError/,
      )
      const defect = log.entries().find(({ level }) => level === 'error')
      expect(defect?.event).to.equal('defect')
      expect(defect?.fields['clientRequest']).to.equal('mine')
      expect(defect?.fields['reason']).to.match(/TypeError: the password.*\n +at /)
    })

    it('that is not an Error, and continues to serve', async () => {
      const { send } = await serving({
        useCases: failing(() => {
          throw null
        }),
      })
      expectError(await send('GET', '/1/settings', admin), 500, 'internal_error')
      expect((await send('GET', '/health/live')).status).to.equal(200)
    })
  })

  it('returns 503 with the unavailable part, and only logs the message of its driver', async () => {
    const failure = { _tag: 'PortFailure', part: 'document store', reason: 'ECONNREFUSED 10.0.0.7' } as const
    const { send } = await serving({
      useCases: {
        ...useCases,
        sessions: {
          ...useCases.sessions,
          open: async () => {
            throw failure
          },
        },
      },
    })
    const response = await send('GET', '/1/settings', admin)
    expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '5'])
    expect(response.text).to.include('document store').and.not.to.include('10.0.0.7')
    const entry = log.entries().find(({ level }) => level === 'error')
    expect(entry?.fields['reason']).to.equal('ECONNREFUSED 10.0.0.7')
  })

  // docs/behaviour/wire.md#shutting-down
  it('is not ready while it shuts down, serves requests, and closes connections when it drains', async () => {
    const state: ServiceState = { phase: 'serving' }
    const { send } = await serving({ state })
    const persistent = { ...admin, Connection: 'keep-alive' }
    for (const [phase, isReady, connection] of [
      ['serving', true, 'keep-alive'],
      ['leaving', false, 'keep-alive'],
      ['draining', false, 'close'],
    ] as const) {
      state.phase = phase
      const ready = await send('GET', '/health/ready')
      expect([ready.status, ready.headers['retry-after']], phase).to.deep.equal(
        isReady ? [200, undefined] : [503, '10'],
      )
      const { status, headers } = await send('GET', '/1/settings', persistent)
      expect([status, headers.connection], phase).to.deep.equal([200, connection])
      expect((await send('GET', '/health/live')).status, phase).to.equal(200)
    }
  })

  // docs/behaviour/wire.md#host
  describe('uses the Host header', () => {
    const requestWith = (version: string, ...hosts: readonly string[]): string =>
      [
        `GET /health/live HTTP/${version}`,
        ...hosts.map((host) => `Host: ${host}`),
        'Connection: close',
        '',
        '',
      ].join('\r\n')

    const cases: readonly (readonly [string, string, status: number])[] = [
      ['takes one host', requestWith('1.1', 'api.example.org'), 200],
      ['takes a host with a port', requestWith('1.1', '192.0.2.1:8080'), 200],
      ['takes an address of IPv6', requestWith('1.1', '[2001:db8::1]:80'), 200],
      ['wants one in HTTP/1.1', requestWith('1.1'), 400],
      ['wants none in HTTP/1.0', requestWith('1.0'), 200],
      ['refuses two', requestWith('1.1', 'a.example.org', 'b.example.org'), 400],
      ['refuses two that are equal', requestWith('1.1', 'a.example.org', 'a.example.org'), 400],
      ['refuses an empty one', requestWith('1.1', ''), 400],
      ['refuses a path', requestWith('1.1', 'a.example.org/x'), 400],
      ['refuses a port that is too large', requestWith('1.1', 'a.example.org:65536'), 400],
    ]
    for (const [name, text, status] of cases)
      it(name, async () => {
        const { sendRaw } = await serving()
        const response = await sendRaw(text)
        expect(response).to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
        if (status === 400) expect(response).to.include('"error":"bad_request"')
      })

    it('for links, unless the deployment has a public address', async () => {
      const first = await serving()
      const headers = { Host: 'api.example.org:8080' }
      expect((await first.send('GET', '/', headers)).text).to.include(
        '"http://api.example.org:8080/openapi.json"',
      )
      const { send } = await serving({ options: { baseUrl: 'https://public.example.org/api' } })
      expect((await send('GET', '/', headers)).text).to.include(
        '"https://public.example.org/api/openapi.json"',
      )
    })
  })

  describe('an unread body', () => {
    const head = ['POST /1/nothing HTTP/1.1', 'Host: x', 'Content-Length: 1000', '', ''].join('\r\n')
    afterEach(() => mock.timers.reset())

    it('closes its connection five seconds after the response', async () => {
      mock.timers.enable({ apis: ['setTimeout'] })
      const { sendRaw } = await serving()
      let hasEnded = false
      const response = sendRaw(`${head}{"title":`).finally(() => {
        hasEnded = true
      })
      while (log.entries().length === 0) await new Promise((resolve) => setImmediate(resolve))
      mock.timers.tick(4999)
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      expect(hasEnded).to.equal(false)
      mock.timers.tick(1)
      expect(await response).to.match(/^HTTP\/1\.1 404 /)
    })

    it('that ends within this time leaves the connection open', async () => {
      mock.timers.enable({ apis: ['setTimeout'] })
      const { port } = await serving()
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.setEncoding('utf8').on('data', (piece: string) => {
        received += piece
      })
      const turnsUntil = async (isThere: () => boolean): Promise<void> => {
        while (!isThere()) await new Promise((resolve) => setImmediate(resolve))
      }
      socket.write(head)
      await turnsUntil(() => received.includes('not_found'))
      socket.write(' '.repeat(1000))
      const next = ['GET /health/live HTTP/1.1', 'Host: x', '', ''].join('\r\n')
      socket.write(next)
      await turnsUntil(() => received.includes('"live"'))
      mock.timers.tick(5000)
      received = ''
      socket.write(next)
      await turnsUntil(() => received.includes('"live"') || socket.destroyed)
      expect(received).to.match(/^HTTP\/1\.1 200 /)
      socket.destroy()
    })

    it('that ends leaves the connection to the next request', async () => {
      const { sendRaw } = await serving()
      const next = ['GET /health/live HTTP/1.1', 'Host: x', 'Connection: close', '', ''].join('\r\n')
      const responses = await sendRaw(`${head}${' '.repeat(1000)}${next}`)
      expect(responses.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 404', 'HTTP/1.1 200'])
    })
  })

  describe('names each request', () => {
    it('by the id of the client if that is a valid token, which the log has in addition to its own', async () => {
      const { send } = await serving()
      const { headers } = await send('GET', '/health/live', { 'X-Request-Id': 'a.b:c-1_2' })
      expect(headers['x-request-id']).to.equal('a.b:c-1_2')
      const own = await send('GET', '/health/live')
      const [first, second] = log.entries().map(({ fields }) => fields)
      expect(first?.['request']).to.match(/^[\da-f-]{36}$/)
      expect(first?.['clientRequest']).to.equal('a.b:c-1_2')
      expect(second?.['request']).to.equal(own.headers['x-request-id'])
      expect(second).not.to.have.property('clientRequest')
    })

    it('in every kind of response', async () => {
      const { send } = await serving()
      for (const [method, path, accept] of [
        ['GET', '/', 'text/html'],
        ['GET', '/docs', 'text/html'],
        ['GET', '/docs/assets/x/style.css', '*/*'],
        ['GET', '/openapi.json', '*/*'],
        ['OPTIONS', '/1', '*/*'],
        ['GET', '/1/files/default-thumbnail/audio', 'image/png'],
      ] as const) {
        const { status, headers } = await send(method, path, {
          ...admin,
          Accept: accept,
          'X-Request-Id': 'mine',
        })
        expect([status < 400, headers['x-request-id']], path).to.deep.equal([true, 'mine'])
      }
    })

    it('by a UUID otherwise', async () => {
      const { send } = await serving()
      const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
      for (const id of ['', 'with space', 'x'.repeat(129), '{"a":1}']) {
        const { headers } = await send('GET', '/health/live', { 'X-Request-Id': id })
        expect(headers['x-request-id'], id).to.match(uuid)
      }
      expect((await send('GET', '/health/live')).headers['x-request-id']).to.match(uuid)
    })

    it('logs its user, status and bytes, and never its token', async () => {
      const { send } = await serving()
      const { body } = await send('GET', '/1/settings?x=secret', admin)
      const [entry] = log.entries()
      expect(entry?.fields).to.deep.include({
        method: 'GET',
        path: '/1/settings',
        status: 200,
        bytes: body.length,
        user: 'ada',
      })
      expect(JSON.stringify(entry)).not.to.match(/Bearer|secret/)
    })
  })

  it('lets browsers call from the configured origins, errors included', async () => {
    const { send } = await serving({ options: { corsOrigins: ['https://www.example.org'] } })
    const origin = { Origin: 'https://www.example.org' }
    for (const [path, headers] of [
      ['/1/settings', { ...admin, ...origin }],
      ['/1/settings', { ...admin, ...origin }],
      ['/1/settings', origin],
      ['/1/nothing', origin],
    ] as const) {
      const response = await send('GET', path, headers)
      expect(response.headers['access-control-allow-origin']).to.equal(origin.Origin)
      expect(response.headers.vary).to.match(/^Accept, Authorization, (?:Accept-Encoding, )?Origin$/)
    }
    const preflight = { ...origin, 'Access-Control-Request-Method': 'PATCH' }
    const { status, headers } = await send('OPTIONS', '/1/settings', preflight)
    expect([status, headers.allow, headers['x-request-id'] === undefined]).to.deep.equal([
      200,
      undefined,
      false,
    ])
  })

  // docs/behaviour/accounts.md#sessions
  it('sends each of several cookies, with every combination of CORS, proxy, limits, compression and draining', async () => {
    const signIn: UseCases['signIn'] = {
      ...useCases.signIn,
      withPassword: async () => ({ token: 'of-session', user: 'ada', browserToken: 'of-browser' }),
      provider: {
        ...useCases.signIn.provider,
        finish: async () => E.right({ token: 'of-session', user: 'ada', to: '/' }),
      },
    }
    const readRate: ReadRate = () => ({
      policy: 'address',
      isAllowed: true,
      limit: 3,
      remaining: 2,
      seconds: 7,
    })
    for (let combination = 0; combination < 32; combination += 1) {
      const has = (bit: number) => (combination & bit) !== 0
      const [hasCors, trustProxy, isLimited, compression, isDraining] = [
        has(1),
        has(2),
        has(4),
        has(8),
        has(16),
      ]
      const shown = JSON.stringify({ hasCors, trustProxy, isLimited, compression, isDraining })
      const { send } = await serving({
        useCases: { ...useCases, signIn },
        ...(isLimited ? { readRate } : {}),
        options: { corsOrigins: hasCors ? ['https://www.example.org'] : [], trustProxy, compression },
        state: { phase: isDraining ? 'draining' : 'serving' },
      })
      const sent = {
        'Content-Type': 'application/json',
        'Accept-Encoding': 'gzip',
        Origin: 'https://www.example.org',
        'Sec-Fetch-Site': 'same-origin',
        'X-Forwarded-Proto': 'https',
      }
      const cookiesOf = ({ headers }: TestResponse) => {
        expect(headers['access-control-allow-origin'] !== undefined, shown).to.equal(hasCors)
        expect(headers['ratelimit'] !== undefined, shown).to.equal(isLimited)
        expect(headers.vary?.split(', ').filter((name) => name === 'Origin') ?? [], shown).to.have.length(
          hasCors ? 1 : 0,
        )
        return headers['set-cookie']?.map((cookie) => cookie.split(';')[0])
      }
      const prefix = trustProxy ? '__Host-' : ''
      const byPassword = await send('POST', '/sign-in/password', sent, '{}')
      expect(cookiesOf(byPassword), shown).to.have.members([
        `${prefix}publishing-session=of-session`,
        `${prefix}publishing-browser=of-browser`,
      ])
      const atProvider = await send('GET', '/sign-in/provider/callback?state=x', sent)
      expect(cookiesOf(atProvider)?.[0], shown).to.equal(`${prefix}publishing-session=of-session`)
      expect(cookiesOf(atProvider), shown).to.have.length(2)
    }
  })
})
