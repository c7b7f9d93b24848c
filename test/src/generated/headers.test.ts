/**
 * Request headers at every endpoint: HEAD, Accept, Content-Type, X-Request-Id (docs/behaviour/wire.md#accept,
 * docs/behaviour/wire.md#request-bodies, docs/behaviour/wire.md#request-id, docs/behaviour/caching.md).
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse, RequestOptions } from '../harness/http-client.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { isRedirect, statusOf, testEndpoints, type Exceptions } from './test-endpoints.js'

const acceptable = [
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'Application/JSON',
  'application/json;q=0.001',
  'application/json; charset=utf-8; indent=2',
  'text/html, application/json;q=0.5',
  'text/html;q=1,application/xml;q=0.9,*/*;q=0.8',
]
const notAcceptable = [
  'text/html',
  'application/xml',
  'text/*',
  'application/json;q=0',
  '*/*;q=0.0',
  'application/jsonp',
  'json',
  'image/png, text/plain',
]

const notJson: Exceptions = {
  downloadFile: 'a download is data of any type, whatever Accept says',
  readPage: 'a page is for people, whatever Accept says',
  readDefaultThumbnail: 'an image, whatever Accept says',
  readFeed: 'feed readers accept types of feeds',
  readCalendar: 'calendar programs accept text/calendar',
  readEventCalendar: 'calendar programs accept text/calendar',
  readSitemap: 'crawlers accept XML',
  readNews: 'crawlers accept XML',
  readRobots: 'a text, whatever Accept says',
  exportRedirects: 'a text, whatever Accept says',
}

const redirects: Exceptions = { readService: 'redirects clients that prefer HTML' }

const otherTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'image/png',
  'json',
]

describe('headers at every endpoint', () => {
  let fixture: Fixture
  /** The state until the first test that writes. */
  let initial: Readonly<Record<string, string>>
  useFixture(async (started) => {
    fixture = started
    initial = await fixture.snapshot()
  })

  const send = (
    endpoint: Endpoint,
    headers: NonNullable<RequestOptions['headers']>,
    method: string = endpoint.method,
  ): Promise<ApiResponse> => fixture.send(endpoint, { headers, method })
  const isRead = ({ method }: Endpoint): boolean => method === 'GET'
  const comparableHeaders = ({ headers }: ApiResponse) => {
    const {
      date: _date,
      'x-request-id': _id,
      connection: _connection,
      'keep-alive': _alive,
      ...rest
    } = headers
    return rest
  }

  testEndpoints(
    'returns the headers of GET without a body for HEAD',
    { filter: isRead },
    async (endpoint) => {
      for (const headers of [{}, { 'Cache-Control': 'no-cache' }]) {
        const whole = expectStatus(await send(endpoint, headers), statusOf(endpoint, 200))
        const head = expectStatus(await send(endpoint, headers, 'HEAD'), whole.status)
        expect(comparableHeaders(head)).to.deep.equal(comparableHeaders(whole))
        expect(head.headers['content-length']).to.equal(String(whole.bytes.length))
        expect(head.bytes).to.have.lengthOf(0)
      }
    },
  )

  testEndpoints(
    'accepts every Accept that allows JSON',
    { filter: (each) => isRead(each) && !isRedirect(each), exceptions: redirects, sample: 10 },
    async (endpoint) => {
      for (const accept of acceptable) expectStatus(await send(endpoint, { Accept: accept }), 200)
    },
  )

  testEndpoints(
    'returns 406 for an Accept that excludes JSON',
    { filter: (each) => !isRedirect(each), exceptions: { ...notJson, ...redirects }, sample: 10 },
    async (endpoint) => {
      for (const accept of notAcceptable)
        expectError(await send(endpoint, { Accept: accept }), 406, 'not_acceptable')
    },
  )

  it('writes nothing where it returns 406', async () => {
    expect(await fixture.snapshot()).to.deep.equal(initial)
  })

  const acceptsBody = ({ body }: Endpoint): boolean => body !== 'none'
  const anyType: Exceptions = { uploadFile: 'file data may be of any type' }
  testEndpoints(
    'returns 415 for another Content-Type',
    { filter: acceptsBody, exceptions: anyType, sample: 10 },
    async (endpoint) => {
      const types =
        endpoint.body === 'form'
          ? [...otherTypes, 'application/json']
          : [...otherTypes, 'application/x-www-form-urlencoded']
      for (const type of types)
        expectError(await send(endpoint, { 'Content-Type': type }), 415, 'unsupported_media_type')
    },
  )

  testEndpoints(
    'returns 415 for a body with a Content-Encoding, and 400 for a part of one',
    { filter: acceptsBody, sample: 20 },
    async (endpoint) => {
      expectError(await send(endpoint, { 'Content-Range': 'bytes 0-4/10' }), 400, 'bad_request')
      for (const encoding of ['gzip', 'deflate', 'br', 'x'])
        expectError(await send(endpoint, { 'Content-Encoding': encoding }), 415, 'unsupported_media_type')
      expectStatus(await send(endpoint, { 'Content-Encoding': 'identity' }), statusOf(endpoint, 200))
    },
  )

  const isGetWithoutBody = ({ body, method }: Endpoint): boolean => body === 'none' && method === 'GET'
  testEndpoints(
    'accepts a JSON Content-Type on a GET without a body',
    { filter: isGetWithoutBody },
    async (endpoint) => {
      for (const type of ['application/json', 'application/json; charset=utf-8'])
        expectStatus(await send(endpoint, { 'Content-Type': type }), statusOf(endpoint, 200))
    },
  )

  testEndpoints(
    'returns a valid X-Request-Id of the client, or a new one',
    { sample: 10 },
    async (endpoint) => {
      const methodsOf = endpoint.method === 'GET' ? ['GET', 'HEAD', 'OPTIONS', 'TRACE'] : ['TRACE', 'OPTIONS']
      for (const method of methodsOf) {
        for (const id of [
          'a',
          'request-1',
          '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
          'a.b:c_d',
          'x'.repeat(128),
        ])
          expect((await send(endpoint, { 'X-Request-Id': id }, method)).headers['x-request-id']).to.equal(id)
        const generated = new Set<unknown>()
        for (const id of [undefined, '', 'a b', 'x'.repeat(129), 'a"b', 'a,b', '<a>', 'é'])
          generated.add((await send(endpoint, { 'X-Request-Id': id }, method)).headers['x-request-id'])
        expect(generated.size).to.equal(8)
        for (const id of generated) expect(id).to.match(/^[0-9a-f-]{36}$/)
      }
    },
  )

  const varyOf = ({ responsePayload, kind }: Endpoint): string => {
    if (responsePayload._tag === 'Data') return 'Accept, Authorization'
    if (responsePayload._tag === 'Document') return 'Accept, Accept-Encoding'
    return kind === 'page' ? 'Accept-Encoding' : 'Accept, Authorization, Accept-Encoding'
  }

  const cacheControls: Readonly<Record<Endpoint['caching'], RegExp>> = {
    object: /^private, max-age=60$/,
    settings: /^private, max-age=300$/,
    download: /^private, max-age=31536000, immutable$/,
    documentation: /^public, max-age=300$/,
    unstored: /^no-store$/,
    none: /^(?:no-store|public, max-age=300)$/,
  }
  testEndpoints(
    // docs/behaviour/caching.md
    'sends the matching Cache-Control, Vary and ETag',
    { filter: isRead },
    async (endpoint) => {
      const response = expectStatus(await send(endpoint, {}), statusOf(endpoint, 200))
      expect(response.headers['cache-control']).to.match(cacheControls[endpoint.caching])
      if (endpoint.caching === 'none') return
      const vary = varyOf(endpoint)
      expect(response.headers.vary).to.equal(vary)
      const tag = response.headers.etag ?? ''
      expect(tag).to.match(/^"[^"]+"$/)
      const lists = [tag, `"x", ${tag}`, '*', `W/${tag}`]
      for (const list of lists) {
        const unchanged = expectStatus(await send(endpoint, { 'If-None-Match': list }), 304)
        expect(unchanged.headers.etag).to.equal(tag)
        expect(unchanged.headers['cache-control']).to.equal(response.headers['cache-control'])
        expect(unchanged.headers.vary).to.equal(vary)
      }
      expectStatus(await send(endpoint, { 'If-None-Match': '"x"' }), 200)
    },
  )
})
