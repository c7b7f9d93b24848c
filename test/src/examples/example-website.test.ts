/** Every kind of page of docs/example-website, over HTTP. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { root } from '../documentation/documents.js'
import { expectOk } from '../harness/expect-response.js'
import { startExampleWebsite, type ExampleWebsite } from './example-website.js'

const pages: Readonly<Record<string, readonly string[]>> = {
  '/': ['Three Photographs of Far Away', 'Begin here', 'Featured', 'Coming up'],
  '/space/': ['<h1>Space</h1>', 'Three Photographs of Far Away', 'The Third Attempt, at Sunset'],
  '/space/three-photographs-of-far-away/': [
    '<h1>Three Photographs of Far Away</h1>',
    'By <a href="/tags/ada-marchetti/">Ada Marchetti</a>',
    '<a href="/space/">Space</a>',
    '<div class="gallery">',
    'alt="Thirteen billion light years"',
    '<h4>From across a studio</h4>',
  ],
  '/food-and-drink/affogato/': ['2 scoops of vanilla ice cream, hard'],
  '/where-to-begin/': ['Verne, with arithmetic', 'href="/culture/the-most-measured-cat/"'],
  '/space/first-friday-in-the-dark/': ['March 6, 2026 at 20:30', 'href="/locations/old-observatory/"'],
  '/calendar/2026-03/': [
    'March 2026',
    'First Friday in the Dark',
    'Sat, Mar 28',
    'href="/calendar/2026-04/"',
  ],
  '/locations/': ['Bar Minuto', 'Verne &#38; Daughters', 'https://www.openstreetmap.org/?mlat=48.2105'],
  '/locations/bar-minuto/': ['<h1>Bar Minuto</h1>', 'Mon–Fri 7–19', '#map=17/48.2105/16.3731'],
  '/tags/moon/': ['<h1>Moon</h1>', 'Nine Hundred Feet of Cannon'],
}

describe('the example website', function () {
  this.timeout(60_000)
  let website: ExampleWebsite
  before(async () => {
    website = await startExampleWebsite()
  })
  after(() => website.stop())

  const get = (path: string) => fetch(`${website.url}${path}`, { redirect: 'manual' })
  const read = async (path: string, status = 200): Promise<string> => {
    const response = await get(path)
    expect(response.status, path).to.equal(status)
    expect(response.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).to.match(
      /^default-src 'self'; object-src 'none';/,
    )
    return response.text()
  }

  const create = async (article: JsonObject): Promise<void> => {
    const body = { content_type: 'article', state: 'published', ...article }
    expectOk(await website.admin.post('/content', body))
  }

  for (const [path, texts] of Object.entries(pages))
    it(`shows ${path}`, async () => {
      const page = await read(path)
      for (const text of texts) expect(page).to.include(text)
      expect(page).not.to.match(/<script|<slot|undefined|\[object/)
    })

  it('searches content, places and tags', async () => {
    const page = await read('/search/?q=obser')
    expect(page).to.match(
      /href="\/locations\/old-observatory\/">[^<]*<\/a><\/h3>\s*<div>[^/]*<mark>Observatory/,
    )
    expect(page).to.include('value="obser"')
    expect(await read('/search/?q=%22%3E%3Cscript%3E')).to.include('value="&#34;&#62;&#60;script&#62;"')
    expect(await read('/search/?q=zzzzzz')).to.include('Nothing contains these words')
    expect(await read('/search/')).not.to.include('Nothing contains these words')
  })

  it('marks the current section in the navigation, and the language of the page', async () => {
    const page = await read('/space/')
    expect(page).to.include('<html lang="en">').and.include('<a href="/space/" aria-current="page">Space</a>')
  })

  it('names the feed of the publication, and of a section', async () => {
    const section = 'a0d4e177-1cdc-4d78-9672-b29388259cf9'
    for (const [path, feed] of [
      ['/', 'all'],
      ['/space/', section],
    ] as const) {
      const address = `/feed/${feed}.atom`
      expect(await read(path)).to.include(
        `<link rel="alternate" type="application/atom+xml" href="${address}">`,
      )
      const response = await get(address)
      expect(response.headers.get('Content-Type')).to.match(/^application\/atom\+xml/)
      expect(await response.text()).to.include('https://www.example.org/space/three-photographs-of-far-away/')
    }
  })

  it('redirects to canonical paths, and from redirects of the service', async () => {
    for (const [path, location] of [
      ['/Space', '/space/'],
      ['/space?page=2', '/space/?page=2'],
      ['/arts/theatre', '/culture/theatre'],
    ] as const) {
      const response = await get(path)
      expect(response.status, path).to.equal(301)
      expect(response.headers.get('Location'), path).to.equal(location)
    }
  })

  it('redirects from the earlier path of an article', async () => {
    const cat = '/content/29d5b02b-7da4-4cad-89b8-788d25c64f9d'
    expectOk(await website.admin.patch(cat, { urlname: 'the-measured-cat' }))
    const response = await get('/culture/the-most-measured-cat/')
    expect(response.status).to.equal(301)
    expect(response.headers.get('Location')).to.equal('/culture/the-measured-cat/')
    expectOk(await website.admin.patch(cat, { urlname: 'the-most-measured-cat' }))
  })

  it('responds with 404 to a path of nothing, and to a draft', async () => {
    for (const path of [
      '/nothing/',
      '/culture/the-voyager-golden-record/',
      '/calendar/2025-13/',
      '/calendar/9999-12/',
      `/${'a'.repeat(8000)}`,
      '/space/?page=99999999999999999999',
      '/%ff',
      '//x/',
    ])
      expect(await read(path, 404), path).to.include('<h1>Not found</h1>')
  })

  it('escapes texts', async () => {
    const text = `</title><script>alert('1')</script> & "two"`
    const escaped = `&#60;/title&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62; &#38; &#34;two&#34;`
    const texts = { title: text, kicker: text, description: text, meta_description: text }
    await create({ urlname: 'hostile', ...texts })
    for (const page of [await read('/hostile/'), await read('/')]) {
      expect(page).to.include(escaped)
      expect(page).not.to.include('<script')
    }
  })

  it('shows the rest of a section on further pages', async () => {
    const section_uuid = 'f1d20c6e-92b7-4f0a-8c35-6a7e4d1b9083'
    for (let number = 1; number <= 14; number += 1) {
      const issued = `2026-01-${String(number).padStart(2, '0')}`
      await create({ urlname: `letter-${number}`, title: `Letter ${number}`, issued, section_uuid })
    }
    expect(await read('/letters/'))
      .to.include('Letter 14')
      .and.include('href="?page=2"')
    const second = await read('/letters/?page=2')
    expect(second).to.include('>Letter 2<').and.not.include('Letter 3')
    expect(second).to.include('href="?page=1"').and.not.include('?page=3')
  })

  it('serves images in some widths, and its style sheet', async () => {
    const [, image = ''] = /(\/images\/\S+\/640) 640w/.exec(await read('/')) ?? []
    for (const [accept, type] of [
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ]) {
      const response = await fetch(`${website.url}${image}`, { headers: { Accept: accept ?? '' } })
      expect(response.status).to.equal(200)
      expect(response.headers.get('Content-Type')).to.equal(type)
      expect(response.headers.get('Cache-Control')).to.include('immutable')
      expect(response.headers.get('Vary')).to.equal('Accept')
    }
    await read(image.replace(/640$/, '641'), 404)
    const missing = await get(image.replace(/\d+\/640$/, '1/640'))
    expect(missing.status).to.equal(404)
    expect(missing.headers.get('Cache-Control')).not.to.include('immutable')
    expect((await get('/style.css')).headers.get('Content-Type')).to.equal('text/css')
  })

  it('has at most 400 lines of code without the search, blank lines and comments', async () => {
    const source = join(root, 'docs/example-website/src')
    const files = await Promise.all(
      (await readdir(source))
        .filter((name) => name !== 'search.ts')
        .map((name) => readFile(join(source, name), 'utf8')),
    )
    const lines = files.flatMap((text) => text.split('\n')).map((line) => line.trim())
    expect(lines.filter((line) => line !== '' && !line.startsWith('/**')).length).to.be.at.most(400)
  })
})
