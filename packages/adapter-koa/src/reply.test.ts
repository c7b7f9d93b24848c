/** Responses in the content codings that clients accept, and 304. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { controlledClock } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import Koa from 'koa'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createCompression } from './compression.js'
import { entityTag, varyBy, type ReadyResponse, createResponseCache } from './ready-response.js'
import { sendReady, type SendingService } from './reply.js'
import { testContext } from './test-support/test-context.js'
import { startTestServer, type TestResponse, type TestServer } from './test-support/test-server.js'

const body = JSON.stringify({ text: 'Donaudampfschiff '.repeat(100) })

const responseOf = (text: string, isCompressed = true): ReadyResponse => ({
  body: text,
  tag: entityTag(text),
  control: 'private, max-age=60',
  vary: varyBy(['Accept'], isCompressed),
  headers: ['Content-Type', 'application/json'],
  forms: isCompressed ? new Map() : null,
})

describe('sending a response', () => {
  let server: TestServer
  let response: ReadyResponse
  let compressed: number
  beforeEach(async () => {
    response = responseOf(body)
    compressed = 0
    const clock = controlledClock(0)
    const cache = createResponseCache(1_000_000, clock)
    const service: SendingService = {
      cache: {
        ...cache,
        resize: () => {
          compressed += 1
        },
      },
      compression: createCompression(),
      isPreflight: null,
      unsent: { add: () => null },
    }
    const app = new Koa()
    app.use(async (koa) => {
      koa.respond = false
      const cacheLookup = { key: '', instance: 1, acceptsJson: true, since: 0 }
      await sendReady(service, { ...testContext(), koa, cacheLookup }, response)
    })
    server = await startTestServer(app.callback())
  })
  afterEach(() => server.close())

  const get = (acceptEncoding: string | null, more: Readonly<Record<string, string>> = {}, method = 'GET') =>
    server.send(method, '/', {
      ...more,
      ...(acceptEncoding === null ? {} : { 'Accept-Encoding': acceptEncoding }),
    })

  const textOf = ({ headers, body: bytes }: TestResponse): string => {
    const coding = headers['content-encoding']
    if (coding === undefined) return bytes.toString()
    return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
  }

  for (const [accepted, coding] of [
    [null, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP ; Q=0.1', 'gzip'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['deflate', undefined],
    ['gzip;q=none', undefined],
  ] as const)
    it(`sends ${coding ?? 'the body as it is'} for ${accepted ?? 'no'} Accept-Encoding`, async () => {
      const received = await get(accepted)
      expect(received.status).to.equal(200)
      expect(received.headers['content-encoding']).to.equal(coding)
      expect(textOf(received)).to.equal(body)
      expect(received.headers).to.include({
        vary: 'Accept, Accept-Encoding',
        'content-length': String(received.body.length),
        etag: coding === undefined ? response.tag : `${response.tag.slice(0, -1)}-${coding}"`,
      })
      if (coding !== undefined) expect(received.body.length).to.be.below(body.length / 5)
    })

  it('compresses once for all requests, and keeps the form with the response', async () => {
    await Promise.all(Array.from({ length: 10 }, () => get('br')))
    await get('br')
    expect(compressed).to.equal(1)
    expect(response.forms?.get('br')).to.be.instanceOf(Buffer)
    await get('gzip')
    expect(compressed).to.equal(2)
  })

  it('sends no form of a body below 1 KB, and none if that is off', async () => {
    for (const plain of [responseOf('x'.repeat(1023)), responseOf(body, false)]) {
      response = plain
      const { headers, text } = await get('br, gzip')
      expect(text).to.equal(plain.body)
      expect(headers).not.to.have.property('content-encoding')
      expect(headers.etag).to.equal(plain.tag)
    }
    response = responseOf('x'.repeat(1024))
    expect((await get('br')).headers['content-encoding']).to.equal('br')
  })

  it('has the headers of GET for HEAD', async () => {
    const { headers, body: empty } = await get('gzip', {}, 'HEAD')
    const { headers: same } = await get('gzip')
    expect(empty).to.have.lengthOf(0)
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect(headers[name], name).to.equal(same[name])
  })

  it('sends 304 with the tag of the form that the client has, and compresses nothing for it', async () => {
    const coded = `${response.tag.slice(0, -1)}-gzip"`
    for (const [tag, accepted] of [
      [response.tag, null],
      [coded, 'gzip'],
      [coded, null],
      [`W/${response.tag}`, 'gzip, br'],
    ] as const) {
      const { status, headers } = await get(accepted, { 'If-None-Match': tag })
      expect([status, headers.etag], `${tag} ${accepted}`).to.deep.equal([304, tag.replace('W/', '')])
      expect(headers.vary).to.equal('Accept, Accept-Encoding')
    }
    expect(compressed).to.equal(0)
    expect((await get('br', { 'If-None-Match': coded })).status).to.equal(200)
    expect((await get('br', { 'If-None-Match': response.tag })).status).to.equal(200)
  })

  it('protects every response in browsers', async () => {
    for (const { headers } of [await get('br'), await get(null, { 'If-None-Match': '*' })])
      expect(headers).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "frame-ancestors 'none'",
      })
  })
})

describe('compression', () => {
  it('makes a limited number of forms at the same time', async () => {
    const { formOf } = createCompression()
    const making = Array.from({ length: 40 }, () => formOf(responseOf(body), 'gzip', () => undefined))
    expect(making.filter((form) => form === null)).to.have.lengthOf(8)
    for (const form of making) await form
    expect(formOf(responseOf(body), 'gzip', () => undefined)).not.to.equal(null)
  })
})
