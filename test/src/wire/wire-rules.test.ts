/**
 * docs/behaviour/wire.md. Rules for every endpoint are tested in ../generated; this file has examples and
 * deployments.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { storeFile, storeImage } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const section = (urlname = randomUUID()) => ({ title: 'A section', urlname })

describe('wire rules', () => {
  let service: TestService
  let home: Publication
  before(async () => {
    service = await startTestService()
    home = await createPublication(service)
  })
  after(() => service.stop())

  // docs/behaviour/wire.md#written
  // docs/behaviour/wire.md#status
  it('returns 200 for create, replace, change and delete, with url and uuid for POST and PUT', async () => {
    const { admin } = home
    const created = expectStatus(await admin.post('/sections', section()), 200)
    const id = String(created.object['uuid'])
    expect(created.object).to.deep.equal({ uuid: id, url: `${home.url}/sections/${id}` })
    for (const response of [
      await admin.put(`/sections/${id}`, section()),
      await admin.patch(`/sections/${id}`, { title: 'x' }),
    ])
      expect(expectStatus(response, 200).object).to.deep.equal(created.object)
    const other = randomUUID()
    expect(expectStatus(await admin.put(`/sections/${other}`, section()), 200).object['uuid']).to.equal(other)
    expectStatus(await admin.delete(`/sections/${id}`), 200)
  })

  // docs/behaviour/instance.md#number
  it('finds an instance only by its number without leading zeros', async () => {
    const root = createApi(service.url, home.reader.token)
    expectOk(await root.get(`/${home.number}/sections`))
    for (const segment of [`0${home.number}`, '0', '-1', '1.0', '1000000000', 'x'])
      expectError(await root.get(`/${segment}/sections`), 404, 'not_found')
    expectError(await root.get('/999999999/sections'), 403, 'forbidden')
  })

  // docs/behaviour/wire.md#deletion
  it('returns {"msg": "deleted"} for DELETE and ignores a request body', async () => {
    for (const body of [undefined, '', '{"title":"x"}', 'no JSON {', 'x'.repeat(100_000)]) {
      const { object } = expectOk(await home.admin.post('/sections', section()))
      const options = body === undefined ? {} : { body, headers: { 'Content-Type': 'text/plain' } }
      const response = expectStatus(
        await home.admin.send('DELETE', `/sections/${String(object['uuid'])}`, options),
        200,
      )
      expect(response.body).to.deep.equal({ msg: 'deleted' })
    }
  })

  // docs/behaviour/wire.md#ascii
  it('sends JSON as pure ASCII with \\u escapes, and surrogate pairs for astral characters', async () => {
    const title = 'Ünï¢ød€ \u2028\u2029 日本 😀 \u007f'.replace('\u007f', '')
    const { object } = expectOk(await home.admin.post('/sections', { title, urlname: randomUUID() }))
    const response = expectOk(await home.admin.get(`/sections/${String(object['uuid'])}`))
    expect(response.text)
      .to.match(/\\u00dcn\\u00ef/i)
      .and.match(/\\ud83d\\ude00/i)
      .and.match(/\\u2028\\u2029/i)
    expect(response.text).to.match(/^\p{ASCII}*$/u)
    expect(response.object['title']).to.equal(title)
    const rejected = await home.admin.get('/sections?fields=%C3%9C%F0%9F%98%80')
    expect(rejected.text).to.match(/\\u00dc\\ud83d\\ude00/i)
  })

  // docs/behaviour/wire.md#ascii
  it('sends the time-zone string as JSON', async () => {
    const response = expectOk(await home.visitor.get('/settings/timezone'))
    expect(response.text).to.equal('"Europe/Vienna"')
    expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
  })

  // docs/behaviour/wire.md#accept
  it('ignores Accept for file downloads and a JSON Content-Type on a GET', async () => {
    const { download } = await storeFile(home.editor, { mimetype: 'text/plain' })
    for (const Accept of ['image/png', 'text/html', 'application/json', 'x/y;q=0'])
      expectOk(await home.reader.get(download, { Accept }))
    expectOk(await home.reader.get('/sections', { 'Content-Type': 'application/json' }))
  })

  // docs/behaviour/wire.md#bearer
  it('matches the word Bearer in any letter case', async () => {
    for (const word of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expectOk(await home.anonymous.get('/sections', { Authorization: `${word} ${home.reader.token ?? ''}` }))
  })

  // docs/behaviour/wire.md#cors
  it('has CORS off by default', async () => {
    const headers = { Origin: 'https://www.example.org', 'Access-Control-Request-Method': 'PUT' }
    for (const response of [
      await home.reader.get('/sections', headers),
      await home.reader.send('OPTIONS', '/sections', { headers }),
    ]) {
      expectOk(response)
      expect(
        Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
      ).to.deep.equal([])
    }
  })

  // docs/behaviour/wire.md#continue
  it('tells a client to send its body only if it is going to be read', async () => {
    const exchange = (token: string | null, method: string, path: string, type: string) =>
      new Promise<readonly (number | undefined)[]>((resolve, reject) => {
        const statuses: (number | undefined)[] = []
        const { hostname, port } = new URL(service.url)
        const headers = {
          Expect: '100-continue',
          'Content-Type': type,
          'Content-Length': '2',
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        }
        const outgoing = request({ hostname, port, method, path, headers, agent: false }, (response) => {
          resolve([...statuses, response.statusCode])
          response.resume()
          outgoing.destroy()
        })
        outgoing.on('continue', () => {
          statuses.push(100)
          outgoing.end('{}')
        })
        outgoing.on('error', reject)
        outgoing.flushHeaders()
      })
    const { number, editor, reader } = home
    const json = 'application/json'
    const missing = `/${number}/files/${randomUUID()}`
    expect(await exchange(editor.token, 'POST', `/${number}/content`, json)).to.deep.equal([100, 400])
    expect(await exchange(null, 'POST', `/${number}/content`, json)).to.deep.equal([401])
    expect(await exchange('wrong', 'POST', `/${number}/content`, json)).to.deep.equal([401])
    expect(await exchange(reader.token, 'POST', `/${number}/content`, json)).to.deep.equal([403])
    expect(await exchange(editor.token, 'POST', `/${number}/content`, 'text/plain')).to.deep.equal([415])
    expect(await exchange(editor.token, 'POST', missing, 'image/png')).to.deep.equal([404])
    expect(await exchange(null, 'POST', missing, 'image/png')).to.deep.equal([401])
    const { id } = await storeImage(editor)
    expect(await exchange(editor.token, 'POST', `/${number}/files/${id}`, 'image/png')).to.deep.equal([
      100, 200,
    ])
    const form = 'application/x-www-form-urlencoded'
    expect(await exchange(null, 'POST', '/oauth/token', form)).to.deep.equal([100, 400])
  })

  // docs/behaviour/wire.md#links
  it('builds URLs from the scheme and host of the request', async () => {
    for (const Host of ['api.example.org', 'api.example.org:8443', '[::1]:8080', 'LOCALHOST'])
      expect(expectOk(await home.reader.get('', { Host })).text.toLowerCase()).to.include(
        `"http://${Host}/`.toLowerCase(),
      )
  })

  // docs/behaviour/wire.md#links
  it('ignores X-Forwarded-* without a trusted proxy', async () => {
    const headers = {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example.org',
      'X-Forwarded-For': '1.2.3.4',
    }
    expect(
      expectOk(await home.reader.get('/sections', { ...headers, 'Cache-Control': 'no-cache' })).text,
    ).not.to.match(/evil|https/)
  })
})

describe('wire rules of deployments', () => {
  const running: TestService[] = []
  const start = async (...parameters: Parameters<typeof startTestService>): Promise<Publication> => {
    const service = await startTestService(...parameters)
    running.push(service)
    return createPublication(service)
  }
  after(() => Promise.all(running.map((service) => service.stop())))

  // docs/behaviour/wire.md#links
  it('starts every URL with BASE_URL: url, download_url, *_url, next, prev, token items, error_uri', async () => {
    const base = 'https://api.example.org/publishing'
    const home = await start({ BASE_URL: base })
    const { id: image } = await storeImage(home.editor)
    const { object } = expectOk(
      await home.editor.post('/content', {
        content_type: 'article',
        title: 'x',
        urlname: 'x',
        teaser_image_uuid: image,
      }),
    )
    const content = expectOk(await home.reader.get(`/content/${String(object['uuid'])}`)).object
    const file = expectOk(await home.reader.get(`/files/${image}`)).object
    for (let count = 0; count < 3; count += 1) expectOk(await home.admin.post('/sections', section()))
    const page = expectOk(await home.reader.get('/sections?rpp=1&page=2')).object
    const rejected = (await home.reader.get('/sections?page=0')).object
    const addresses = [
      object['url'],
      content['url'],
      content['teaser_image_url'],
      file['url'],
      file['download_url'],
      page['next'],
      page['prev'],
      rejected['error_uri'],
    ]
    for (const address of addresses)
      expect(address)
        .to.be.a('string')
        .that.matches(/^https:\/\/api\.example\.org\/publishing\//)
  })

  // docs/behaviour/wire.md#links
  it('takes scheme and host from X-Forwarded-* behind a trusted proxy', async () => {
    const home = await start({ TRUST_PROXY: 'true' })
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'www.example.org' }
    const response = expectOk(await home.reader.get('', headers))
    expect(response.text).to.include(`"https://www.example.org/${home.number}/sections"`)
  })

  // docs/behaviour/caching.md#cache-control
  it('lets no shared cache store links that come from a proxy, and warns of them at the start', async () => {
    for (const BASE_URL of ['', 'https://api.example.org']) {
      const home = await start({ TRUST_PROXY: 'true', BASE_URL }, { recorded: 'warn' })
      const service = running.at(-1)
      expectOk(
        await home.admin.patch('/settings', { public_feeds: true, website_url: 'https://www.example.org' }),
      )
      const scope = BASE_URL === '' ? 'private' : 'public'
      const root = createApi(service?.url ?? '')
      for (const path of ['/', `/${home.number}/feed/all.json`])
        expect(expectOk(await root.get(path)).headers['cache-control'], path).to.match(
          new RegExp(`^${scope}, `),
        )
      const redirect = await root.get('/', { Accept: 'text/html' })
      expect(redirect.headers['cache-control']).to.match(new RegExp(`^${scope}, `))
      expect(service?.logged().some(({ event }) => event === 'links follow the proxy')).to.equal(
        BASE_URL === '',
      )
    }
  })
})
