/** The responses of the documentation pages: media types, caching, compression, and security headers. */
import { gunzipSync } from 'node:zlib'
import { after, before, describe, it } from 'mocha'
import { expect } from 'chai'
import { documentationPages } from '@publishing-service/http-contract'
import { assets } from '@publishing-service/reference-page'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const paths = Object.values(documentationPages).map(({ path }) => path)

const expectSecurityHeaders = ({ headers }: ApiResponse): void => {
  expect(headers['content-security-policy']).to.equal(policy)
  expect(headers['x-content-type-options']).to.equal('nosniff')
}

/** Checks caching and compression of a response with an ETag. */
const expectCached = async (api: Api, path: string): Promise<void> => {
  const whole = expectOk(await api.get(path))
  expectSecurityHeaders(whole)
  const tag = whole.headers.etag ?? ''
  expect(tag).to.match(/^"[\w-]+"$/)
  expect(whole.headers.vary).to.match(/^Accept-Encoding/)

  const head = await api.head(path)
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'content-security-policy'])
    expect(head.headers[name], name).to.equal(whole.headers[name])

  const unchanged = await api.get(path, { 'If-None-Match': `"other", ${tag}` })
  expect(unchanged.status).to.equal(304)
  expect(unchanged.headers.etag).to.equal(tag)
  expect(unchanged.headers['content-security-policy']).to.equal(policy)

  const isShort = whole.bytes.length < 1024
  const compressed = expectOk(await api.get(path, { 'Accept-Encoding': 'gzip' }))
  expect(compressed.headers['content-encoding']).to.equal(isShort ? undefined : 'gzip')
  if (isShort) return
  expect(compressed.headers.etag).not.to.equal(tag)
  expect(gunzipSync(compressed.bytes).equals(whole.bytes)).to.equal(true)
  const again = await api.get(path, {
    'Accept-Encoding': 'gzip',
    'If-None-Match': compressed.headers.etag ?? '',
  })
  expect(again.status).to.equal(304)
}

describe('the documentation pages, on the wire', () => {
  let service: TestService
  let api: Api
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
    api = createApi(service.url)
  })
  after(() => service.stop())

  const assetPath = async (name: string): Promise<string> => {
    const page = (await api.get('/docs')).text
    const version = /docs\/assets\/([\w-]+)\//.exec(page)?.[1]
    return `/docs/assets/${version}/${name}`
  }

  for (const path of paths)
    it(`${path} is a page that may be cached briefly`, async () => {
      const page = expectOk(await api.get(path))
      expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(page.headers['cache-control']).to.equal('public, max-age=300')
      await expectCached(api, path)
    })

  it('have relative links that work behind a proxy too', async () => {
    for (const [path, root] of [
      ['/docs', './'],
      ['/docs/', '../'],
      ['/docs/errors', '../'],
      ['/docs/errors/', '../../'],
    ] as const) {
      const { text } = expectOk(await api.get(path))
      expect(text).to.include(`data-root="${root}"`).and.include(`href="${root}docs/objects"`)
      expect(text).not.to.match(/(?:href|src)="\//)
    }
  })

  for (const [name, { type }] of assets)
    it(`${name} is immutable`, async () => {
      const path = await assetPath(name)
      const file = expectOk(await api.get(path))
      expect(file.headers['content-type']).to.equal(type)
      expect(file.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
      expect(file.bytes.length).to.be.greaterThan(100)
      await expectCached(api, path)
    })

  it('an asset under the path of another version is the current one, and is cached only briefly', async () => {
    const file = expectOk(await api.get('/docs/assets/older/style.css'))
    expect(file.headers['cache-control']).to.equal('public, max-age=300')
    expect(file.text).to.include('--paper')
  })

  it('other files are not served', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/assets',
      '/docs/assets/x',
      '/docs/assets/x/nothing.js',
      '/docs/assets/x/index.js',
      '/docs/assets/x/../package.json',
      '/docs/assets/x/..%2fpackage.json',
      '/docs/assets/x/..%2f..%2fpackage.json',
      '/docs/assets/..%2f..%2f/package.json',
      '/docs/assets/%2e%2e/%2e%2e/package.json',
      '/docs/assets/x/%2fetc%2fpasswd',
      '/docs/assets/x/style.css%00.js',
      '/docs/assets/x/__proto__',
      '/docs/assets/x/browser/page.js',
    ]) {
      const response = expectError(await api.get(path), 404, 'not_found')
      expect(response.headers['content-security-policy'], path).to.equal(policy)
    }
  })

  it('accept GET, HEAD and OPTIONS', async () => {
    for (const path of [...paths, await assetPath('style.css')]) {
      const refused = expectError(await api.send('POST', path), 405, 'method_not_allowed')
      expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS')
      expect(refused.headers['content-security-policy']).to.equal(policy)
      const options = await api.send('OPTIONS', path)
      expect([options.status, options.headers.allow]).to.deep.equal([200, 'GET, HEAD, OPTIONS'])
      expect(options.headers['content-security-policy']).to.equal(policy)
    }
  })

  it('show the URL of the request in commands, or the configured one', async () => {
    expect((await api.get('/docs/requests')).text).to.include(`${service.url}/oauth/token`)
    const named = await api.get('/docs/requests', { Host: 'api.example.org' })
    expect(named.text).to.include('http://api.example.org/oauth/token')
    const hostile = await api.get('/docs/requests', { Host: '"><script>alert(1)</script>' })
    expectError(hostile, 400, 'bad_request')
    expect(hostile.text).not.to.include('<script>alert')
    const elsewhere = await startTestService({
      STORE: 'memory',
      BLOBS: 'memory',
      BASE_URL: 'https://news.example.org/api',
    })
    const configured = await createApi(elsewhere.url).get('/docs/requests')
    await elsewhere.stop()
    expect(configured.text).to.include('https://news.example.org/api/oauth/token')
  })
})
