/** The responses of the documentation pages: media types, caching, compression, security headers, and their links. */
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { documentationPages, endpoints, groupOf } from '@publishing-service/http-contract'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

const paths = Object.values(documentationPages).map(({ path }) => path)

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, match]) => match ?? '')

/** Checks the type, caching, compression and policy of a response with an ETag. */
const expectFile = async (api: Api, path: string, type: string, control: string): Promise<string> => {
  const whole = expectOk(await api.get(path))
  expect(whole.headers).to.include({
    'content-type': type,
    'cache-control': control,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  })
  expect(whole.headers.vary).to.match(/^Accept-Encoding/)
  const tag = whole.headers.etag ?? ''
  expect(tag).to.match(/^"[\w-]+"$/)
  expect((await api.get(path, { 'If-None-Match': `"other", ${tag}` })).status).to.equal(304)
  const compressed = expectOk(await api.get(path, { 'Accept-Encoding': 'gzip' }))
  if (whole.bytes.length > 1024) {
    expect(compressed.headers.etag).not.to.equal(tag)
    expect(gunzipSync(compressed.bytes).equals(whole.bytes)).to.equal(true)
  }
  return whole.text
}

describe('the documentation pages', () => {
  let service: TestService
  let api: Api
  const texts = new Map<string, string>()
  before(async () => {
    service = await startTestService()
    api = createApi(service.url)
    for (const path of paths) texts.set(path, expectOk(await api.get(path)).text)
  })
  after(() => service.stop())

  /** The addresses of links, styles and scripts, as the browser resolves them. */
  const linksOf = (path: string): readonly URL[] =>
    matches(texts.get(path) ?? '', / (?:href|src)="([^"]*)"/g).map(
      (link) => new URL(link, service.url + path),
    )

  for (const path of paths)
    it(`${path} may be cached briefly, and has no inline script or style`, async () => {
      const text = await expectFile(api, path, 'text/html; charset=utf-8', 'public, max-age=300')
      expect(text).not.to.match(
        /<style|<script(?! (?:defer|type="module") src="docs\/assets\/)|<[^>]* (?:style|on\w+)=/,
      )
    })

  it('load immutable files', async () => {
    const files = new Set(paths.flatMap(linksOf).map(({ pathname }) => pathname))
    const loaded = [...files].filter((path) => path.startsWith('/docs/assets/'))
    expect(loaded.map((path) => path.split('/').at(-1))).to.have.members(Object.keys(types))
    for (const path of loaded)
      await expectFile(
        api,
        path,
        types[path.split('/').at(-1) ?? ''] ?? '',
        'public, max-age=31536000, immutable',
      )
  })

  it('link to existing pages, headings, attributes and operations only, by relative addresses', async () => {
    const operations = endpoints.map((endpoint) => `#/${groupOf(endpoint)}/${endpoint.id}`)
    for (const path of paths) {
      const ids = matches(texts.get(path) ?? '', / id="([^"]*)"/g)
      expect(ids, path).to.have.lengthOf(new Set(ids).size)
      expect(texts.get(path)).not.to.match(/ (?:href|src)="\//)
      for (const { pathname, hash } of linksOf(path)) {
        const page = texts.get(pathname)
        if (page === undefined) expect((await fetch(service.url + pathname)).status, pathname).to.equal(200)
        else if (hash.startsWith('#/')) expect(operations).to.include(hash)
        else if (hash !== '')
          expect(page, `${path} → ${pathname}${hash}`).to.include(` id="${hash.slice(1)}"`)
      }
    }
  })

  it('are also found with a slash at the end', async () => {
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/errors/', '../errors'],
    ] as const) {
      const { status, headers } = await fetch(service.url + path, { redirect: 'manual' })
      expect([status, headers.get('location')]).to.deep.equal([302, location])
    }
  })

  it('have no other files', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/assets/x/nothing.js',
      '/docs/assets/x/..%2f..%2fpackage.json',
      '/docs/assets/..%2f..%2f/package.json',
      '/docs/assets/x/%2fetc%2fpasswd',
      '/docs/assets/x/style.css%00.js',
      '/docs/assets/x/__proto__',
    ]) {
      const response = expectError(await api.get(path), 404, 'not_found')
      expect(response.headers['content-security-policy'], path).to.equal(policy)
    }
  })
})
