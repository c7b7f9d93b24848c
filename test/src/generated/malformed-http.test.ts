/**
 * Requests that no HTTP client sends, at every endpoint: broken framing, bodies that differ from their declared
 * length, aborted requests (docs/behaviour/wire.md#request-id, docs/behaviour/errors.md).
 */
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'
import type { RawResponse } from '../harness/response-rules.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { rawExchange, type RawRequest } from '../harness/raw-exchange.js'
import { sampleRequest } from './sample-request.js'
import { useReadOnlyFixture, type Fixture } from './service-fixture.js'
import { testEndpoints } from './test-endpoints.js'

const acceptsBody = ({ body }: Endpoint): boolean => body !== 'none'

const statuses = (responses: readonly RawResponse[]): readonly number[] =>
  responses.map(({ status }) => status)

const codeOf = ({ bytes }: RawResponse): unknown =>
  (JSON.parse(bytes.toString('latin1')) as { readonly error: unknown }).error

describe('malformed HTTP', () => {
  let fixture: Fixture
  useReadOnlyFixture((set) => {
    fixture = set
  })
  afterEach(async () => {
    expectOk(await createApi(fixture.service.url).get('/health/ready'))
  })

  const send = (bytes: string | Uint8Array, ending: RawRequest['ending'] = 'wait') =>
    rawExchange(fixture.service.url, { bytes, ending })

  const head = (endpoint: Endpoint, headers: Readonly<Record<string, string>>): string => {
    const { headers: own = {} } = sampleRequest(endpoint, fixture)
    const all: Readonly<Record<string, unknown>> = {
      Host: 'x',
      Authorization: `Bearer ${fixture.home.admin.token ?? ''}`,
      ...own,
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    return `${endpoint.method} ${fixture.address(endpoint)} HTTP/1.1\r\n${lines.join('')}\r\n`
  }

  /** Expects exactly one response with bad_request. */
  const expectBadRequest = (responses: readonly RawResponse[], why: string): void => {
    expect(statuses(responses), why).to.deep.equal([400])
    for (const response of responses) expect(codeOf(response), why).to.equal('bad_request')
  }

  testEndpoints('returns bad_request for a truncated head', { sample: 20 }, async (endpoint) => {
    const whole = head(endpoint, {})
    for (const length of [1, 5, Math.floor(whole.length / 2), whole.length - 2]) {
      expectBadRequest(await send(whole.slice(0, length), 'end'), `${length} bytes`)
      await send(whole.slice(0, length), 'break off')
    }
  })

  const lengths = ['-1', '+1', '1.5', 'x', '', '0x10', '99999999999999999999999', '1, 2', '1 1']
  testEndpoints('returns bad_request for an invalid Content-Length', { sample: 20 }, async (endpoint) => {
    for (const length of lengths)
      expectBadRequest(await send(`${head(endpoint, { 'Content-Length': length })}x`), length)
    const twice = head(endpoint, { 'Content-Length': '1' }).replace(
      /\r\n\r\n$/,
      '\r\nContent-Length: 2\r\n\r\nxx',
    )
    expectBadRequest(await send(twice), 'two lengths')
    const both = head(endpoint, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' })
    expectBadRequest(await send(`${both}0\r\n\r\n`), 'length and chunks')
  })

  testEndpoints(
    'returns bad_request for a body shorter than declared',
    { filter: acceptsBody },
    async (endpoint) => {
      for (const sent of ['', 'x', '{"title":"half'])
        for (const ending of ['end', 'break off'] as const) {
          const responses = await send(`${head(endpoint, { 'Content-Length': '1000' })}${sent}`, ending)
          if (ending === 'end') expectBadRequest(responses, sent)
        }
    },
  )

  testEndpoints(
    'returns bad_request for invalid chunks',
    { filter: acceptsBody, sample: 10 },
    async (endpoint) => {
      const chunked = head(endpoint, { 'Transfer-Encoding': 'chunked' })
      const nonsense = [
        'zz\r\n',
        '-1\r\n',
        '5\r\nabc\r\n',
        '5;\u0000\r\nabcde\r\n0\r\n\r\n',
        '{"title":1}',
        'fffffffffffffffff\r\nx',
      ]
      for (const chunks of nonsense) expectBadRequest(await send(`${chunked}${chunks}`, 'end'), chunks)
      for (const half of ['', '5', '5\r\n', '5\r\nab', '5\r\nabcde', '5\r\nabcde\r\n', '5\r\nabcde\r\n0\r\n'])
        for (const ending of ['end', 'break off'] as const) {
          const responses = await send(`${chunked}${half}`, ending)
          if (ending === 'end') expectBadRequest(responses, half)
        }
      for (const encoding of ['gzip', 'chunked, gzip', 'identity', 'x']) {
        const responses = await send(`${head(endpoint, { 'Transfer-Encoding': encoding })}0\r\n\r\n`, 'end')
        expectBadRequest(responses, encoding)
      }
    },
  )

  testEndpoints(
    'returns bad_request for the bytes after the declared body',
    { filter: acceptsBody },
    async (endpoint) => {
      const body = '{"nobody":1}'
      const extraHeaders = {
        Prefer: 'handling=strict',
        ...(endpoint.body === 'data' ? { 'Content-Encoding': 'x' } : {}),
      }
      const whole = `${head(endpoint, { 'Content-Length': String(body.length), ...extraHeaders })}${body}`
      const responses = await send(`${whole}garbage\r\n\r\n`)
      expect(responses).to.have.lengthOf(2)
      expect(responses[0]?.status).to.be.within(400, 499)
      expectBadRequest(responses.slice(1), 'remaining bytes')
    },
  )

  testEndpoints(
    'responds once to a rejected request, whatever its body contains',
    { filter: acceptsBody },
    async (endpoint) => {
      const rejected = head(endpoint, {
        Authorization: 'Bearer x',
        'Content-Type': 'x/y',
        Accept: 'x/y',
        'Transfer-Encoding': 'chunked',
      })
      const responses = await send(`${rejected}zz\r\n`, 'end')
      expect(responses).to.have.lengthOf(1)
      expect(responses[0]?.status).to.be.within(400, 499)
    },
  )

  const get = endpoints.find(({ operation }) => operation === 'readSettings')
  const wrongHeads: Readonly<Record<string, string>> = {
    'not HTTP': 'hello\r\n\r\n',
    'an invalid version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'another protocol': 'GET / FTP/1.1\r\nHost: x\r\n\r\n',
    TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    'an unknown method': 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n',
    'a method in lower case': 'get / HTTP/1.1\r\nHost: x\r\n\r\n',
    'a space in the target': 'GET /1/ settings HTTP/1.1\r\nHost: x\r\n\r\n',
    'a header without a colon': 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
    'a space before the colon': 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
    'a header without a name': 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n',
    'NUL in a header': 'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n',
    'a bare carriage return': 'GET / HTTP/1.1\r\nHost: x\r\nA: x\ry\r\n\r\n',
    'no host': 'GET /health/live HTTP/1.1\r\n\r\n',
    'two hosts': 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
    'the same host twice': 'GET /health/live HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
    'an empty host': 'GET /health/live HTTP/1.1\r\nHost:\r\n\r\n',
    'a host with a path': 'GET /health/live HTTP/1.1\r\nHost: x/y\r\n\r\n',
    'a host with a user': 'GET /health/live HTTP/1.1\r\nHost: a@x\r\n\r\n',
    'two hosts in one header': 'GET /health/live HTTP/1.1\r\nHost: x, y\r\n\r\n',
    'an invalid port': 'GET /health/live HTTP/1.1\r\nHost: x:99999\r\n\r\n',
    'headers that are too long': `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
    'an address that is too long': `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'too many headers': `GET / HTTP/1.1\r\nHost: x\r\n${'A: x\r\n'.repeat(10_000)}\r\n`,
  }
  for (const [why, bytes] of Object.entries(wrongHeads))
    it(`returns bad_request: ${why}`, async () => {
      expectBadRequest(await send(bytes, 'end'), why)
    })

  it('responds to a valid request and returns bad_request for the garbage after it', async () => {
    if (get === undefined) throw new Error('no endpoint')
    const responses = await send(`${head(get, {})}garbage\r\n\r\n`)
    expect(statuses(responses)).to.deep.equal([200, 400])
  })

  it('responds to pipelined requests in order', async () => {
    if (get === undefined) throw new Error('no endpoint')
    const wrong = head(get, { Accept: 'text/html' })
    const responses = await send(`${head(get, {})}${wrong}${head(get, { Connection: 'close' })}`)
    expect(statuses(responses)).to.deep.equal([200, 406, 200])
  })

  it('responds to a valid request before it rejects the body of the next', async () => {
    const post = endpoints.find(({ method, path }) => method === 'POST' && path === '/{iid}/content')
    if (get === undefined || post === undefined) throw new Error('no endpoint')
    const malformed = `${head(post, { 'Transfer-Encoding': 'chunked' })}zz\r\n`
    const responses = await send(`${head(get, {})}${malformed}`, 'end')
    expect(statuses(responses)).to.deep.equal([200, 400])
  })

  it('ignores an unknown expectation and accepts 100-continue', async () => {
    if (get === undefined) throw new Error('no endpoint')
    for (const Expect of ['100-continue', 'the-unexpected'])
      expect(statuses(await send(head(get, { Expect, Connection: 'close' })))).to.deep.equal([200])
  })

  it('ignores an unsupported upgrade', async () => {
    if (get === undefined) throw new Error('no endpoint')
    const responses = await send(head(get, { Connection: 'Upgrade, close', Upgrade: 'websocket' }))
    expect(statuses(responses)).to.deep.equal([200])
  })

  it('rejects CONNECT', async () => {
    const responses = await send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 'end')
    expectBadRequest(responses, 'CONNECT')
  })
})
