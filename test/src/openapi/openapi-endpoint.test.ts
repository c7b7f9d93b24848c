/** GET /openapi.json: cached, identical for all clients, with a policy for browsers. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { defaultFacts } from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { root } from '../documentation/documents.js'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const path = '/openapi.json'

describe('GET /openapi.json', () => {
  let service: TestService
  let api: Api
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
    api = createApi(service.url)
  })
  after(() => service.stop())

  const expectPolicy = ({ headers }: ApiResponse): void => {
    expect(headers['content-security-policy']).to.equal("default-src 'none'; frame-ancestors 'none'")
  }

  it('returns the document of the declarations without a token', async () => {
    const response = expectOk(await api.get(path))
    expect(response.body).to.deep.equal(openApiDocument())
    expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(response.headers['cache-control']).to.equal('public, max-age=300')
    expect(response.headers['x-content-type-options']).to.equal('nosniff')
    expectPolicy(response)
  })

  it('has the version of the packages', async () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      readonly version: string
    }
    expect(expectOk(await api.get(path)).object).to.have.nested.property('info.version', version)
  })

  it('returns identical bytes and the same ETag each time, and 304 for that ETag', async () => {
    const [one, other] = [expectOk(await api.get(path)), expectOk(await api.get(path))]
    expect(one.text).to.equal(other.text)
    expect(one.headers.etag).to.match(/^"[^"]+"$/)
    expect(other.headers.etag).to.equal(one.headers.etag)
    const unchanged = expectStatus(await api.get(path, { 'If-None-Match': one.headers.etag }), 304)
    expect(unchanged.headers.etag).to.equal(one.headers.etag)
    expectPolicy(unchanged)
  })

  it('is compressed if the client accepts it, with a separate ETag', async () => {
    const plain = expectOk(await api.get(path))
    expect(plain.headers['content-encoding']).to.equal(undefined)
    const asked = { 'Accept-Encoding': 'gzip' }
    const compressed = expectOk(await api.get(path, asked))
    expect(compressed.headers['content-encoding']).to.equal('gzip')
    expect(Number(compressed.headers['content-length'])).to.equal(compressed.bytes.length)
    expect(compressed.bytes.length).to.be.lessThan(plain.bytes.length / 5)
    expect(gunzipSync(compressed.bytes).equals(plain.bytes)).to.equal(true)
    expect(compressed.headers.etag).not.to.equal(plain.headers.etag)
    expectPolicy(compressed)
    for (const { headers } of [plain, compressed]) expect(headers.vary).to.equal('Accept, Accept-Encoding')

    const head = expectOk(await api.head(path, asked))
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
      expect(head.headers[name], name).to.equal(compressed.headers[name])

    for (const method of ['GET', 'HEAD'])
      for (const [one, other, encoding] of [
        [compressed, plain, 'gzip'],
        [plain, compressed, 'identity'],
      ] as const) {
        const again = (response: ApiResponse) =>
          api.send(method, path, {
            headers: { 'Accept-Encoding': encoding, 'If-None-Match': response.headers.etag },
          })
        const unchanged = expectStatus(await again(one), 304)
        expect(unchanged.headers.etag).to.equal(one.headers.etag)
        expect(unchanged.headers.vary).to.equal('Accept, Accept-Encoding')
        expectOk(await again(other))
      }
  })

  it('is identical for many concurrent first requests', async () => {
    const fresh = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
    try {
      const responses = await Promise.all(Array.from({ length: 8 }, () => createApi(fresh.url).get(path)))
      expect(new Set(responses.map(({ headers }) => headers.etag)).size).to.equal(1)
    } finally {
      await fresh.stop()
    }
  })

  it('returns the headers of GET for HEAD', async () => {
    const [got, head] = [expectOk(await api.get(path)), expectOk(await api.head(path))]
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      expect(head.headers[name], name).to.equal(got.headers[name])
    expectPolicy(head)
  })

  it('lists its methods and rejects others', async () => {
    const options = expectOk(await api.send('OPTIONS', path))
    expect(options.headers.allow).to.equal('GET, HEAD, OPTIONS')
    expectPolicy(options)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectPolicy(expectError(await api.send(method, path), 405, 'method_not_allowed'))
  })

  it('is available as JSON only', async () => {
    expectPolicy(expectError(await api.get(path, { Accept: 'text/html' }), 406, 'not_acceptable'))
  })

  it('ignores parameters, tokens and bodies', async () => {
    const { text } = expectOk(await api.get(path))
    const withInput = await createApi(service.url, 'no-token').send('GET', `${path}?fields=x&page=0`, {
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', Prefer: 'handling=strict' },
    })
    expect(expectOk(withInput).text).to.equal(text)
  })
})

describe('GET /openapi.json with a public base URL', () => {
  const base = 'https://api.example.org/publishing'

  it('uses it as the server and in the token URL', async () => {
    const service = await startTestService({ STORE: 'memory', BLOBS: 'memory', BASE_URL: base })
    try {
      const { body, object } = expectOk(await createApi(service.url).get(path))
      expect(body).to.deep.equal(openApiDocument({ ...defaultFacts, baseUrl: base }))
      expect(object['servers']).to.have.nested.property('0.url', base)
      expect(JSON.stringify(object['components'])).to.include(`"${base}/oauth/token"`)
    } finally {
      await service.stop()
    }
  })
})

describe('GET /openapi.json with changed limits', () => {
  const streamingHosts = [{ name: 'ourtube', aliases: ['tube'], hosts: ['video.example', '.video.example'] }]
  const uploadLimits = {
    image: 1_000_000,
    audio: 2_000_000,
    video: 3_000_000,
    application: 4_000_000,
    other: 500,
  }
  let service: TestService
  before(async () => {
    service = await startTestService({
      STORE: 'memory',
      BLOBS: 'memory',
      JSON_LIMIT: String(2 * 1024 * 1024),
      ...Object.fromEntries(
        Object.entries(uploadLimits).map(([group, bytes]) => [`${group.toUpperCase()}_LIMIT`, String(bytes)]),
      ),
      STREAMING_HOSTS: JSON.stringify(streamingHosts),
    })
  })
  after(() => service.stop())

  it('contains the configured limits and streaming hosts, and does not differ otherwise', async () => {
    const { body } = expectOk(await createApi(service.url).get(path))
    const facts = { baseUrl: null, jsonLimit: 2 * 1024 * 1024, uploadLimits, streamingHosts }
    expect(body).to.deep.equal(openApiDocument(facts))
    const text = JSON.stringify(body)
    expect(text).to.include('2 MiB').and.include('other 500 bytes').and.include('"ourtube"')
    expect(text).not.to.include('video_host_1').and.not.include('youtube')
  })
})
