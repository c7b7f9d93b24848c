/** docs/examples/astro, installed from its lock file, builds the pages of a publication. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

describe('the starter with Astro', function () {
  this.timeout(300_000)
  let service: TestService
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'astro-'))
    service = await startTestService()
    const admin = createApi(`${service.url}/1`, await service.tokenFor('admin'))
    expectOk(await admin.patch('/settings', { public_reading: true, website_url: 'https://www.example.org' }))
    const moved = uuidOf(await admin.get('/resolve?path=/culture/verne-read-aloud/'))
    expectOk(await admin.patch(`/content/${moved}`, { urlname: 'verne-aloud' }))
    const section = uuidOf(await admin.get('/resolve?path=/letters/'))
    for (let number = 1; number <= 21; number += 1) {
      const article = { content_type: 'article', title: `Letter ${number}`, urlname: `letter-${number}` }
      expectOk(await admin.post('/content', { ...article, section_uuid: section, state: 'published' }))
    }
    const environment = { SERVICE: service.url, ASTRO_TELEMETRY_DISABLED: '1' }
    const directory = join(root, 'docs/examples/astro')
    const script = `npm ci --ignore-scripts --prefer-offline && npx astro build --outDir '${folder}'`
    await runScript(script, { directory, environment })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const file = (path: string) => readFile(join(folder, path), 'utf8')

  it('has a page for each address of its sitemap, and one for those that are not there', async () => {
    const addresses = [...(await file('sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)].map(
      ([, url = '']) => new URL(url).pathname,
    )
    expect(addresses).to.include.members([
      '/',
      '/letters/letter-21/',
      '/tags/moon/',
      '/locations/bar-minuto/',
    ])
    for (const path of addresses)
      expect(await file(`${path}index.html`), path).to.match(/<h1>|class="teasers"/)
    expect(await file('404.html')).to.include('<h1>')
    expect(await file('_redirects')).to.match(
      /^\/culture\/verne-read-aloud\/ +\/culture\/verne-aloud\/ +301/m,
    )
    expect(await file('robots.txt')).to.include('https://www.example.org/sitemap.xml')
  })

  it('shows the pictures and the body of an article', async () => {
    const article = await file('space/three-photographs-of-far-away/index.html')
    expect(
      article.match(/<figure><img [^>]*srcset="[^"]+" [^>]*width="\d+" height="\d+"/g),
    ).to.have.length.above(1)
    expect(article).to.include('<link rel="canonical" href="https://www.example.org/space/')
  })

  it('has all pages of a long list, linked to each other', async () => {
    const [first, second] = await Promise.all([file('letters/index.html'), file('letters/page/2/index.html')])
    const count = (page: string) => page.match(/<h2>/g)?.length
    expect([count(first), count(second)]).to.deep.equal([20, 1])
    expect(first).to.include('href="/letters/page/2/"')
    expect(second).to.include('href="/letters/"').and.not.include('/page/3/')
  })
})
