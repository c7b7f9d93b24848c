/** Every kind of page of docs/example-website, over HTTP. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { root } from '../documentation/documents.js'
import { expectOk } from '../harness/expect-response.js'
import { startExampleWebsite, type ExampleWebsite } from './example-website.js'

const pages: Readonly<Record<string, readonly string[]>> = {
  '/': [
    'Three Photographs of Far Away',
    'Begin here',
    'Featured',
    'First Friday in the Dark',
    'href="/imprint/"',
  ],
  '/space/': ['<h1>Space</h1>', 'href="/space/spaceflight/"', 'The Third Attempt, at Sunset'],
  '/space/three-photographs-of-far-away/': [
    '<h1>Three Photographs of Far Away</h1>',
    'By <a href="/tags/ada-marchetti/">Ada Marchetti</a>',
    '<a href="/space/">Space</a>',
    '<div class="gallery">',
    '<a class="large" href="/files/',
    'alt="Hubble eXtreme Deep Field"',
    '<h2>From across a studio</h2>',
    'href="/locations/old-observatory/"',
    'How long was the exposure?',
  ],
  '/food-and-drink/affogato/': ['2 scoops of vanilla ice cream, hard', '5 min', 'Salt on ice cream?'],
  '/culture/a-trip-to-the-moon/': ['A Trip to the Moon', '5 of 5', 'Later: <a href='],
  '/where-to-begin/': ['Verne, with arithmetic', 'href="/culture/the-most-measured-cat/"'],
  '/space/first-friday-in-the-dark/': [
    'March 6, 2026 at 20:30',
    'href="/locations/old-observatory/"',
    '<audio controls',
  ],
  '/calendar/2026-03/': [
    'March 2026',
    'First Friday in the Dark',
    'href="#2026-03-28">28<',
    'href="/locations/bar-minuto/"',
    'href="/calendar/2026-04/"',
  ],
  '/locations/': ['Bar Minuto', 'Verne &#38; Daughters', '<svg class="map"', 'Coffee 1'],
  '/locations/?near=48.2,16.3': ['3.7 km'],
  '/locations/bar-minuto/': [
    'Mon–Fri 7–19',
    'href="geo:48.2105,16.3731"',
    'The second one is on the house',
    'alt="Chelsea the cat"',
    'Around here',
    'href="/locations/old-observatory/"',
  ],
  '/tags/moon/': ['<h1>Moon</h1>', 'Nine Hundred Feet of Cannon'],
  '/tags/ada-marchetti/': ['She has a telescope', 'The Third Attempt, at Sunset'],
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
    expect(response.headers.get('Content-Security-Policy')).to.match(/^default-src 'self'; /)
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
      expect(page).not.to.match(/<slot|undefined|\[object|http:\/\/127/)
    })

  it('has names of its own for each list of links on a page', async () => {
    for (const path of ['/', '/search/?q=moon', '/locations/']) {
      const names = [...(await read(path)).matchAll(/<nav[^>]* aria-label="([^"]*)"/g)].map(
        ([, name]) => name,
      )
      expect(names, path)
        .to.include('Sections')
        .and.to.deep.equal([...new Set(names)])
    }
  })

  it('searches content, places and tags', async () => {
    const page = await read('/search/?q=obser')
    expect(page).to.match(
      /href="\/locations\/old-observatory\/">[^<]*<\/a><\/h2>\s*<div>[^/]*<mark>Observatory/,
    )
    expect(page).to.include('value="obser"')
    expect(await read('/search/?q=%22%3E%3Cscript%3E')).to.include('value="&#34;&#62;&#60;script&#62;"')
    const stories = await read('/search/?q=moon&kind=content')
    const [, topic = ''] = /href="([^"]*tag=[^"]*)"[^>]*>Jules Verne 1</.exec(stories) ?? []
    const ofVerne = await read(`/search/${topic.replaceAll('&#38;', '&')}`)
    expect(ofVerne).to.include('1 found').and.include('Nine Hundred Feet of Cannon')
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

  it('escapes texts, also for search engines', async () => {
    const text = `</title><script>alert('1')</script> & "two"`
    const escaped = `&#60;/title&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62; &#38; &#34;two&#34;`
    const texts = { title: text, kicker: text, description: text, meta_description: text }
    await create({ urlname: 'hostile', ...texts })
    for (const page of [await read('/hostile/'), await read('/')]) {
      expect(page).to.include(escaped)
      expect(page).not.to.match(/<script(?! type="application\/ld\+json">\{[^<]*<\/script>)/)
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
      .and.include('Page 1 of 2')
    const second = await read('/letters/?page=2')
    expect(second).to.include('>Letter 2<').and.not.include('Letter 3')
    expect(second).to.include('href="?page=1"').and.not.include('?page=3')
    await read('/letters/?page=3', 404)
  })

  it('lists all dates of a month, however many', async () => {
    const daily = { content_type: 'event', dtstart: '2026-05-01T10:00:00', dtend: '2026-05-01T11:00:00' }
    for (const urlname of ['one', 'two', 'three', 'four'])
      await create({ ...daily, urlname, title: urlname, rrule: { freq: 'DAILY' } })
    const calendar = await read('/calendar/2026-05/')
    expect(calendar.match(/<a href="\/four\/">/g)).to.have.length(31)
    expect(calendar).to.include('href="#2026-05-31">31<')
  })

  it('has of each page what search engines and social networks read', async () => {
    const page = await read('/space/three-photographs-of-far-away/')
    expect(page)
      .to.include('<title>Three Photographs of Far Away – The Long Exposure</title>')
      .and.include('name="description" content="Three photographs and the distances')
      .and.include('rel="canonical" href="https://www.example.org/space/three-photographs-of-far-away/"')
      .and.match(/property="og:image" content="https:\/\/www\.example\.org\/files\/[^"]+"/)
      .and.match(
        /<script type="application\/ld\+json">\{"@context":"https:\/\/schema\.org","@type":"Article"/,
      )
    expect(await read('/search/?q=x')).to.include('<meta name="robots" content="noindex">')
  })

  it('shows the draft of a preview, and stores no page of it', async () => {
    const cat = '/content/29d5b02b-7da4-4cad-89b8-788d25c64f9d'
    expectOk(await website.admin.patch(`${cat}/draft`, { title: 'The Cat, Measured Again' }))
    expectOk(
      await website.admin.patch('/settings', {
        preview_url: `${website.url}/preview/?path={path}&token={token}`,
      }),
    )
    const { url } = expectOk(await website.admin.post(`${cat}/preview`, {})).object
    const response = await fetch(String(url))
    expect(response.headers.get('Cache-Control')).to.equal('no-store')
    expect(await response.text())
      .to.include('<h1>The Cat, Measured Again</h1>')
      .and.include('<meta name="robots" content="noindex">')
      .and.include('class="preview"')
    const published = await read('/culture/the-most-measured-cat/')
    expect(published).to.include('<h1>The Most Measured Cat</h1>').and.not.include('class="preview"')
    // The draft gets another path, which the published one leads to, within the preview.
    expectOk(await website.admin.patch(`${cat}/draft`, { urlname: 'measured-again' }))
    expect(await (await fetch(String(url))).text()).to.include('<h1>The Cat, Measured Again</h1>')
    await read('/preview/?path=/&token=ended', 403)
    expectOk(await website.admin.delete(`${cat}/draft`))
  })

  it('passes on pictures in the format of the browser, the sitemap and robots.txt', async () => {
    const [, image = ''] = /(\/files\/[^ "]+) 640w/.exec(await read('/')) ?? []
    for (const [accept, type] of [
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ]) {
      const response = await fetch(
        `${website.url}${image.replaceAll('&#38;', '&').replaceAll('&amp;', '&')}`,
        {
          headers: { Accept: accept ?? '' },
        },
      )
      expect(response.status).to.equal(200)
      expect(response.headers.get('Content-Type')).to.equal(type)
      expect(response.headers.get('Cache-Control')).to.include('immutable')
      expect(response.headers.get('Vary')).to.include('Accept')
    }
    const missing = await get('/files/29d5b02b-7da4-4cad-89b8-788d25c64f9d/download/1')
    expect(missing.status).to.equal(404)
    expect(await (await get('/sitemap.xml')).text()).to.include('<loc>https://www.example.org/imprint/</loc>')
    expect(await (await get('/robots.txt')).text()).to.include('/sitemap.xml')
    expect((await get('/style.css')).headers.get('Content-Type')).to.equal('text/css')
    expect((await fetch(website.url, { method: 'DELETE' })).status).to.equal(405)
  })

  it('takes the comments of visitors, and says what is missing', async () => {
    const cat = '29d5b02b-7da4-4cad-89b8-788d25c64f9d'
    const send = (form: Readonly<Record<string, string>>) =>
      fetch(`${website.url}/comments/`, { method: 'POST', body: new URLSearchParams({ uuid: cat, ...form }) })
    expect(await read('/culture/the-most-measured-cat/')).to.include(`name="uuid" value="${cat}"`)
    expect((await send({ comment: 'She knows.', creator: 'Mira' })).status).to.equal(200)
    const empty = await send({ comment: '', creator: 'Mira' })
    expect(empty.status).to.equal(400)
    expect(await empty.text()).to.include('comment must')
    expect((await send({ comment: 'x'.repeat(70_000), creator: 'Mira' })).status).to.equal(413)
    const drafts = expectOk(await website.admin.get(`/comments?content=${cat}&fields=comment-state`)).object
    expect(drafts['items']).to.deep.equal([['She knows.', 'draft']])
  })

  it('reserves the space of an image that is not scaled', async () => {
    const id = '3b0f6a52-6f0e-4f0a-9a53-0d5b7c1c8e11'
    expectOk(await website.admin.put(`/files/${id}`, { title: 'A drawing', filename: 'drawing.svg' }))
    const body = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>')
    const headers = { 'Content-Type': 'image/svg+xml' }
    expectOk(await website.admin.send('POST', `/files/${id}`, { body, headers }))
    await create({ title: 'Drawn', urlname: 'drawn', header_image_uuid: id })
    const [image = ''] = /<img [^>]*alt="A drawing"[^>]*>/.exec(await read('/drawn/')) ?? []
    expect(image).to.include('width="90"').and.include('height="30"').and.not.include('srcset')
  })

  it('passes on nothing else of the service, however the path is written', async () => {
    for (const path of [
      '/feed/../settings',
      '/feed/%2e%2e/settings',
      '/files/x/download/../../../settings',
    ]) {
      const sent = request(website.url, { path }).end()
      const [response] = await once(sent, 'response')
      expect(response.resume().statusCode, path).to.equal(404)
    }
  })

  it('has at most 950 lines of code without blank lines and comments', async () => {
    const source = join(root, 'docs/example-website/src')
    const files = await Promise.all(
      (await readdir(source)).map((name) => readFile(join(source, name), 'utf8')),
    )
    const lines = files.flatMap((text) => text.split('\n')).map((line) => line.trim())
    expect(lines.filter((line) => line !== '' && !/^(\/\*\*|\/\/)/.test(line)).length).to.be.at.most(950)
  })
})

describe('the example website, with stored pages', function () {
  this.timeout(60_000)
  let website: ExampleWebsite
  before(async () => {
    // Events are accepted for five minutes.
    website = await startExampleWebsite(Date.now(), true)
  })
  after(() => website.stop())

  it('makes them again when the service says that something has changed', async () => {
    const read = async () => (await fetch(`${website.url}/food-and-drink/affogato/`)).text()
    const forged = await fetch(`${website.url}/webhook`, { method: 'POST', body: '{}' })
    expect(forged.status).to.equal(401)
    expect(await read()).to.include('Affogato, or: Be Quick')
    const path = '/content/1bf9d4bb-9deb-4630-a20f-ed13cd6cad04'
    expectOk(await website.admin.patch(path, { title: 'Affogato, Again' }))
    for (let attempt = 0; attempt < 100 && !(await read()).includes('Affogato, Again'); attempt += 1)
      await wait(50)
    expect(await read()).to.include('<h1>Affogato, Again</h1>')
  })
})
