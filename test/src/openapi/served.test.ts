/** How the document of the API is served: from memory, the same bytes to everybody, with a policy for browsers. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { expectError, expectOk, expectStatus } from '../harness/expect-answer.js'
import { createApi, type Answer, type Api } from '../harness/http-client.js'
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

  const expectPolicy = ({ headers }: Answer): void => {
    expect(headers['content-security-policy']).to.equal("default-src 'none'")
  }

  it('answers the document that the declarations make, without a token', async () => {
    const answer = expectOk(await api.get(path))
    expect(answer.body).to.deep.equal(openApiDocument())
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).to.equal('public, max-age=300')
    expect(answer.headers['x-content-type-options']).to.equal('nosniff')
    expectPolicy(answer)
  })

  it('answers the same bytes under the same tag each time, and 304 to who has them', async () => {
    const [one, other] = [expectOk(await api.get(path)), expectOk(await api.get(path))]
    expect(one.text).to.equal(other.text)
    expect(one.headers.etag).to.match(/^"[^"]+"$/)
    expect(other.headers.etag).to.equal(one.headers.etag)
    const unchanged = expectStatus(await api.get(path, { 'If-None-Match': one.headers.etag }), 304)
    expect(unchanged.headers.etag).to.equal(one.headers.etag)
    expectPolicy(unchanged)
  })

  it('answers HEAD as GET, without the body', async () => {
    const [got, head] = [expectOk(await api.get(path)), expectOk(await api.head(path))]
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      expect(head.headers[name], name).to.equal(got.headers[name])
    expectPolicy(head)
  })

  it('says which methods it takes, and takes no other', async () => {
    const options = expectOk(await api.send('OPTIONS', path))
    expect(options.headers.allow).to.equal('GET, HEAD, OPTIONS')
    expectPolicy(options)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectPolicy(expectError(await api.send(method, path), 405, 'method_not_allowed'))
  })

  it('is JSON alone', async () => {
    expectPolicy(expectError(await api.get(path, { Accept: 'text/html' }), 406, 'not_acceptable'))
  })

  it('takes no input: parameters, tokens and bodies change nothing', async () => {
    const { text } = expectOk(await api.get(path))
    const withInput = await createApi(service.url, 'no-token').send('GET', `${path}?fields=x&page=0`, {
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', Prefer: 'handling=strict' },
    })
    expect(expectOk(withInput).text).to.equal(text)
  })
})

describe('GET /openapi.json where there is a public address', () => {
  const base = 'https://api.example.org/publishing'

  it('names it as the server, and in the address of tokens', async () => {
    const service = await startTestService({ STORE: 'memory', BLOBS: 'memory', BASE_URL: base })
    try {
      const { body, object } = expectOk(await createApi(service.url).get(path))
      expect(body).to.deep.equal(openApiDocument(base))
      expect(object['servers']).to.have.nested.property('0.url', base)
      expect(JSON.stringify(object['components'])).to.include(`"${base}/oauth/token"`)
    } finally {
      await service.stop()
    }
  })
})
