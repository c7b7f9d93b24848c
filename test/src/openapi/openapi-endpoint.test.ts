/** GET /openapi.json: cached, identical for all clients, with a policy for browsers. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { gunzipSync } from 'node:zlib'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const path = '/openapi.json'

describe('GET /openapi.json', () => {
  let service: TestService
  let api: Api
  before(async () => {
    service = await startTestService()
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

  it('is sent compressed, or not sent again, by a separate ETag for each form', async () => {
    const plain = expectOk(await api.get(path))
    const compressed = expectOk(await api.get(path, { 'Accept-Encoding': 'gzip' }))
    expect(gunzipSync(compressed.bytes).equals(plain.bytes)).to.equal(true)
    expect(compressed.headers.etag).not.to.equal(plain.headers.etag)
    for (const { headers } of [plain, compressed]) expect(headers.vary).to.equal('Accept, Accept-Encoding')
    const unchanged = expectStatus(await api.get(path, { 'If-None-Match': plain.headers.etag }), 304)
    expectPolicy(unchanged)
  })

  it('is identical for many concurrent first requests', async () => {
    const fresh = await startTestService()
    try {
      const responses = await Promise.all(Array.from({ length: 8 }, () => createApi(fresh.url).get(path)))
      expect(new Set(responses.map(({ headers }) => headers.etag)).size).to.equal(1)
    } finally {
      await fresh.stop()
    }
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

describe('GET /openapi.json of a configured service', () => {
  it('contains the configured address, limits and streaming hosts', async () => {
    const baseUrl = 'https://api.example.org/publishing'
    const streamingHosts = [
      { name: 'ourtube', aliases: ['tube'], hosts: ['video.example', '.video.example'] },
    ]
    const uploadLimits = {
      image: 1_000_000,
      audio: 2_000_000,
      video: 3_000_000,
      application: 4_000_000,
      other: 500,
    }
    const service = await startTestService({
      BASE_URL: baseUrl,
      JSON_LIMIT: String(2 * 1024 * 1024),
      ...Object.fromEntries(
        Object.entries(uploadLimits).map(([group, bytes]) => [`${group.toUpperCase()}_LIMIT`, String(bytes)]),
      ),
      STREAMING_HOSTS: JSON.stringify(streamingHosts),
    })
    try {
      const { body } = expectOk(await createApi(service.url).get(path))
      const facts = { baseUrl, jsonLimit: 2 * 1024 * 1024, uploadLimits, streamingHosts }
      expect(body).to.deep.equal(openApiDocument(facts))
    } finally {
      await service.stop()
    }
  })
})
