/**
 * Headers of requests, at every endpoint: HEAD, Accept, Content-Type, X-Request-Id (docs/behaviour/wire.md#accept,
 * docs/behaviour/wire.md#request-bodies, docs/behaviour/wire.md#request-id, docs/behaviour/caching.md).
 */
import { expect } from 'chai'
import { after, before, describe } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-answer.js'
import type { Answer, RequestOptions } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints, type Exceptions } from './walk.js'

const served = [
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
const refused = [
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
  downloadFile: 'a download is the data itself, whatever Accept says',
  readPage: 'a page is for people, whatever Accept says',
  readDefaultThumbnail: 'an image, whatever Accept says',
}

const redirects: Exceptions = { readService: 'it redirects to a page where HTML is preferred' }

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
  let stage: Stage
  /** As it is until the first walk that writes. */
  let untouched: Readonly<Record<string, string>>
  before(async () => {
    stage = await setStage()
    untouched = await stage.snapshot()
  })
  after(async () => {
    await stage.close()
  })

  const ask = (
    endpoint: Endpoint,
    headers: RequestOptions['headers'],
    method: string = endpoint.method,
  ): Promise<Answer> => {
    const { headers: own, ...rest } = sampleRequest(endpoint, stage)
    return stage
      .root(stage.home.admin.token)
      .send(method, stage.address(endpoint), { ...rest, headers: { ...own, ...headers } })
  }
  const isRead = ({ method }: Endpoint): boolean => method === 'GET'
  const timeless = ({ headers }: Answer) => {
    const {
      date: _date,
      'x-request-id': _id,
      connection: _connection,
      'keep-alive': _alive,
      ...rest
    } = headers
    return rest
  }

  walkEndpoints('HEAD is GET without its body', { about: isRead }, async (endpoint) => {
    for (const headers of [{}, { 'Cache-Control': 'no-cache' }]) {
      const whole = expectStatus(await ask(endpoint, headers), 200)
      const head = expectStatus(await ask(endpoint, headers, 'HEAD'), 200)
      expect(timeless(head)).to.deep.equal(timeless(whole))
      expect(head.headers['content-length']).to.equal(String(whole.bytes.length))
      expect(head.bytes).to.have.lengthOf(0)
    }
  })

  walkEndpoints(
    'what Accept lets JSON through is served',
    { about: isRead, exceptions: redirects, sample: 15 },
    async (endpoint) => {
      for (const accept of served) expectStatus(await ask(endpoint, { Accept: accept }), 200)
    },
  )

  walkEndpoints(
    'what Accept keeps JSON out gets 406',
    { exceptions: { ...notJson, ...redirects }, sample: 15 },
    async (endpoint) => {
      for (const accept of refused)
        expectError(await ask(endpoint, { Accept: accept }), 406, 'not_acceptable')
      expect(await stage.snapshot()).to.deep.equal(untouched)
    },
  )

  const takesBody = ({ body }: Endpoint): boolean => body !== 'none'
  const anyType: Exceptions = { uploadFile: 'file data may be of any type' }
  walkEndpoints(
    'a body declared as something else: 415',
    { about: takesBody, exceptions: anyType, sample: 15 },
    async (endpoint) => {
      const types =
        endpoint.body === 'form'
          ? [...otherTypes, 'application/json']
          : [...otherTypes, 'application/x-www-form-urlencoded']
      for (const type of types)
        expectError(await ask(endpoint, { 'Content-Type': type }), 415, 'unsupported_media_type')
    },
  )

  walkEndpoints('a body with a Content-Encoding: 415', { about: takesBody }, async (endpoint) => {
    for (const encoding of ['gzip', 'deflate', 'br', 'x'])
      expectError(await ask(endpoint, { 'Content-Encoding': encoding }), 415, 'unsupported_media_type')
    expectStatus(
      await ask(endpoint, { 'Content-Encoding': 'identity' }),
      endpoint.body === 'form' ? 401 : 200,
    )
  })

  const takesNone = ({ body, method }: Endpoint): boolean => body === 'none' && method === 'GET'
  walkEndpoints(
    'a JSON Content-Type on a GET without a body is fine',
    { about: takesNone },
    async (endpoint) => {
      for (const type of ['application/json', 'application/json; charset=utf-8'])
        expectStatus(await ask(endpoint, { 'Content-Type': type }), 200)
    },
  )

  walkEndpoints(
    'X-Request-Id is the client’s where it is sane, else new',
    { sample: 15 },
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
          expect((await ask(endpoint, { 'X-Request-Id': id }, method)).headers['x-request-id']).to.equal(id)
        const made = new Set<unknown>()
        for (const id of [undefined, '', 'a b', 'x'.repeat(129), 'a"b', 'a,b', '<a>', 'é'])
          made.add((await ask(endpoint, { 'X-Request-Id': id }, method)).headers['x-request-id'])
        expect(made.size).to.equal(8)
        for (const id of made) expect(id).to.match(/^[0-9a-f-]{36}$/)
      }
    },
  )

  const varyOf = ({ responsePayload, kind }: Endpoint): string => {
    if (responsePayload._tag === 'Document') return 'Accept, Accept-Encoding'
    return kind === 'page' ? 'Accept-Encoding' : 'Accept, Authorization'
  }

  const kept: Readonly<Record<Endpoint['caching'], RegExp>> = {
    object: /^private, max-age=60$/,
    settings: /^private, max-age=300$/,
    download: /^private, max-age=31536000, immutable$/,
    documentation: /^public, max-age=300$/,
    none: /^(?:no-store|public, max-age=300)$/,
  }
  walkEndpoints(
    // docs/behaviour/caching.md
    'Cache-Control, Vary and ETag say what may be kept',
    { about: isRead },
    async (endpoint) => {
      const answer = expectStatus(await ask(endpoint, {}), 200)
      expect(answer.headers['cache-control']).to.match(kept[endpoint.caching])
      if (endpoint.caching === 'none') return
      const vary = varyOf(endpoint)
      expect(answer.headers.vary).to.equal(vary)
      const tag = answer.headers.etag ?? ''
      expect(tag).to.match(/^"[^"]+"$/)
      const lists = [tag, `"x", ${tag}`, '*', `W/${tag}`]
      for (const list of lists) {
        const unchanged = expectStatus(await ask(endpoint, { 'If-None-Match': list }), 304)
        expect(unchanged.headers.etag).to.equal(tag)
        expect(unchanged.headers['cache-control']).to.equal(answer.headers['cache-control'])
        expect(unchanged.headers.vary).to.equal(vary)
      }
      expectStatus(await ask(endpoint, { 'If-None-Match': '"x"' }), 200)
    },
  )
})
