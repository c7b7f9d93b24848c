/** Feeds of live content (docs/behaviour/feeds.md). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { readAtom, readJsonFeed } from '../harness/feed-schemas.js'
import { fresh, noon, onEveryStore } from '../harness/on-every-store.js'
import { storeImage } from '../harness/stored-files.js'

const website_url = 'https://www.example.org/'

onEveryStore('feeds', { website_url, public_feeds: true }, (place) => {
  const section = async (body: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.admin.post('/sections', { title: 'News', urlname: randomUUID(), ...body }))
  const article = async (body: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.admin.post('/content', {
        content_type: 'article',
        title: 'A title',
        urlname: randomUUID(),
        state: 'published',
        issued: '2026-01-01',
        ...body,
      }),
    )
  const read = async (
    name = 'all',
    api = place.home.anonymous,
    headers: Readonly<Record<string, string>> = fresh,
  ) => {
    const atom = readAtom(await api.get(`/feed/${name}.atom`, headers))
    const json = readJsonFeed(await api.get(`/feed/${name}.json`, headers))
    const items = json['items'] as readonly JsonObject[]
    const ids = items.map(({ id }) => String(id).replace('urn:uuid:', ''))
    expect(atom('a:feed/a:entry/a:id')).to.deep.equal(items.map(({ id }) => id))
    return { atom, json, items, ids }
  }

  // docs/behaviour/feeds.md#feed
  it('contain the newest live content of the instance, the newest first', async () => {
    const [old, recent] = [await article(), await article({ issued: '2026-02-01' })]
    await article({ state: 'draft' })
    await article({ issued: '2999-01-01' })
    for (const api of [place.home.anonymous, place.home.visitor, place.home.admin])
      expect((await read('all', api)).ids).to.deep.equal([recent, old])
  })

  it('have at most 50 entries', async () => {
    const all: string[] = []
    for (let day = 1; day <= 51; day += 1)
      all.unshift(await article({ issued: new Date(Date.UTC(2025, 0, day)).toISOString() }))
    expect((await read()).ids).to.deep.equal(all.slice(0, 50))
  })

  it('of a section contain the content of all sections below it', async () => {
    const top = await section({ urlname: 'top' })
    const below = await section({ parent_uuid: await section({ parent_uuid: top }) })
    const [first, second] = [
      await article({ section_uuid: top }),
      await article({ section_uuid: below, issued: '2026-02-01' }),
    ]
    await article({ section_uuid: await section() })
    const { ids, atom, json } = await read(top)
    expect(ids).to.deep.equal([second, first])
    expect(atom('a:feed/a:id')).to.deep.equal([`urn:uuid:${top}`])
    expect(json).to.include({
      title: 'The Daily Test: News',
      home_page_url: 'https://www.example.org/top/',
    })
    expect((await read(top.toUpperCase())).ids).to.deep.equal(ids)
  })

  // docs/behaviour/feeds.md#entries
  it('show an entry with its address, times, authors, summary and body', async () => {
    const { admin } = place.home
    const slot = randomUUID()
    const news = await section({ urlname: 'news' })
    const id = await article({
      section_uuid: news,
      urlname: 'story',
      issued: '2025-07-01T12:00:00',
      modified: '2025-12-01T12:00:00',
      description: 'A summary',
      content: `<p>One</p><slot id="${slot}"/><!-- <slot> --><p>Two &amp; three</p>`,
    })
    for (const [last_name_or_title, state] of [
      ['Jane Doe', 'approved'],
      ['Intern', 'internal'],
    ] as const) {
      const author = uuidOf(
        await admin.post('/tags', { last_name_or_title, urlname: randomUUID(), state, type: 'default' }),
      )
      expectOk(await admin.put(`/tags/${author}/authored/${id}`, {}))
    }
    const { atom, json, items } = await read('all', admin)
    const html = '<p>One</p><!-- <slot> --><p>Two &amp; three</p>'
    expect(items).to.deep.equal([
      {
        id: `urn:uuid:${id}`,
        url: 'https://www.example.org/news/story/',
        title: 'A title',
        content_html: html,
        summary: 'A summary',
        date_published: '2025-07-01T12:00:00+02:00',
        date_modified: '2025-12-01T12:00:00+01:00',
        authors: [{ name: 'Jane Doe' }],
      },
    ])
    expect(json).to.deep.include({
      title: 'The Daily Test',
      home_page_url: 'https://www.example.org/',
      feed_url: 'https://www.example.org/feed/all.json',
      language: 'en',
      authors: [{ name: 'The Daily Test' }],
    })
    for (const [path, expected] of Object.entries({
      'a:feed/a:title': 'The Daily Test',
      'a:feed/a:id': 'https://www.example.org/',
      'a:feed/a:updated': '2025-12-01T12:00:00+01:00',
      'a:feed/@xml:lang': 'en',
      "a:feed/a:link[@rel='self']/@href": 'https://www.example.org/feed/all.atom',
      "a:feed/a:link[@rel='alternate']/@href": 'https://www.example.org/',
      'a:feed/a:entry/a:title': 'A title',
      'a:feed/a:entry/a:published': '2025-07-01T12:00:00+02:00',
      'a:feed/a:entry/a:updated': '2025-12-01T12:00:00+01:00',
      'a:feed/a:entry/a:author/a:name': 'Jane Doe',
      'a:feed/a:entry/a:link/@href': 'https://www.example.org/news/story/',
      'a:feed/a:entry/a:summary': 'A summary',
      'a:feed/a:entry/a:content': html,
      'a:feed/a:entry/a:content/@xml:base': 'https://www.example.org/news/story/',
    }))
      expect(atom(path), path).to.deep.equal([expected])
  })

  // docs/behaviour/feeds.md#hub
  it('name the hub of the settings', async () => {
    const hub_url = 'https://hub.example.org/'
    expectOk(await place.home.admin.patch('/settings', { hub_url }))
    const { atom, json } = await read()
    expect(atom("a:feed/a:link[@rel='hub']/@href")).to.deep.equal([hub_url])
    expect(json['hubs']).to.deep.equal([{ type: 'WebSub', url: hub_url }])
  })

  it('show the teaser image if downloads need no token', async () => {
    const { admin, anonymous } = place.home
    const { id: teaser_image_uuid, download } = await storeImage(admin)
    await article({ teaser_image_uuid })
    const image = `${place.home.url}${download}`
    const enclosure = "a:feed/a:entry/a:link[@rel='enclosure']"
    const without = await read()
    expect(without.items[0]).not.to.have.property('image')
    expect(without.atom(enclosure)).to.deep.equal([])
    expectOk(await admin.patch('/settings', { public_downloads: true }))
    const { items, atom } = await read()
    expect(items[0]).to.include({ image })
    expect(atom(`${enclosure}/@href`)).to.deep.equal([image])
    expect(atom(`${enclosure}/@type`)).to.deep.equal(['image/png'])
    const { bytes } = expectOk(await anonymous.get(download))
    expect(atom(`${enclosure}/@length`)).to.deep.equal([String(bytes.length)])
  })

  it('are valid for every text', async () => {
    const titles = [
      ']]>',
      '<b>&amp;</b> & "x" \'y\'',
      '👩‍👩‍👧 😀',
      'مرحبا \u202e abc',
      'a\u0085b\u2028c\ufffdd',
      'true',
    ]
    for (const title of titles) await article({ title, description: title })
    const { atom, items } = await read()
    for (const found of [
      items.map(({ title }) => title),
      items.map(({ summary }) => summary),
      atom('a:feed/a:entry/a:title'),
      atom('a:feed/a:entry/a:summary'),
    ])
      expect(found).to.have.members(titles)
  })

  it('leave out what XML cannot contain', async () => {
    for (const code of [0x1, 0xb, 0x1f, 0xfffe]) {
      const response = await place.home.admin.post('/content', {
        content_type: 'article',
        title: `a${String.fromCharCode(code)}b`,
        urlname: randomUUID(),
        state: 'published',
      })
      expect(response.status).to.be.oneOf([200, 400])
    }
    for (const title of (await read()).atom('a:feed/a:entry/a:title')) expect(title).to.equal('ab')
  })

  it('are valid if they are empty', async () => {
    expect((await read()).ids).to.deep.equal([])
    expect((await read(await section())).ids).to.deep.equal([])
  })

  // docs/behaviour/feeds.md#access
  it('need a token if public_feeds is off', async () => {
    const { admin, anonymous, visitor } = place.home
    await article()
    expect((await read('all', anonymous, {})).ids).to.have.lengthOf(1)
    expectOk(await admin.patch('/settings', { public_feeds: false }))
    for (const path of ['/feed/all.atom', '/feed/all.json', '/feed/x.json'])
      expectError(await anonymous.get(path), 401, 'unauthorized')
    expect((await read('all', visitor)).ids).to.have.lengthOf(1)
  })

  // docs/behaviour/feeds.md#website
  it('need website_url', async () => {
    const { admin, anonymous } = place.home
    expectOk(await admin.patch('/settings', { website_url: null }))
    for (const path of [
      '/feed/all.atom',
      '/feed/all.json',
      '/sitemap.xml',
      '/news-sitemap.xml',
      '/robots.txt',
    ]) {
      const { object } = expectError(await anonymous.get(path), 404, 'not_found')
      expect(object['error_description']).to.include('website_url')
    }
  })

  it('do not exist for other names', async () => {
    const { admin } = place.home
    const id = await article()
    for (const name of [randomUUID(), id, 'ALL', 'x'])
      for (const type of ['atom', 'json'])
        expectError(await admin.get(`/feed/${name}.${type}`), 404, 'not_found')
    for (const path of ['/feed', '/feed/all', '/feed/all.xml', '/feed/.atom', '/feed/all.atom/x'])
      expectError(await admin.get(path), 404, 'not_found')
  })

  it('show content once its time has come', async () => {
    const id = await article({ issued: '2026-03-01T13:00:02' })
    expect((await read('all', place.home.anonymous, {})).ids).to.deep.equal([])
    place.service.clock.set(noon + 2000)
    for (const api of [place.home.anonymous, place.home.admin])
      expect((await read('all', api, {})).ids).to.deep.equal([id])
  })

  it('follow writes at once, from the cache', async () => {
    const top = await section()
    for (const api of [place.home.anonymous, place.home.admin]) {
      const before = (await read(top, api, {})).ids
      const id = await article({ section_uuid: top })
      expect((await read(top, api, {})).ids).to.have.members([...before, id])
      expectOk(await place.home.admin.delete(`/content/${id}`))
      expect((await read(top, api, {})).ids).to.deep.equal(before)
    }
  })

  // docs/behaviour/caching.md#public-data
  it('are public without a token, for any Accept, for HEAD and for 304', async () => {
    const { anonymous, admin } = place.home
    await article()
    const shared = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60'
    for (const path of ['/feed/all.atom', '/feed/all.rss', '/feed/all.json', '/sitemap.xml'])
      for (let time = 0; time < 2; time += 1) {
        const { headers } = expectOk(await anonymous.get(path, { Accept: 'application/atom+xml' }))
        expect(headers['cache-control']).to.equal(shared)
        expect(headers.vary).to.equal('Accept-Encoding')
        expect(expectOk(await anonymous.head(path)).headers['content-length']).to.equal(
          headers['content-length'],
        )
        const unchanged = await anonymous.get(path, { 'If-None-Match': headers.etag })
        expect(expectStatus(unchanged, 304).headers['cache-control']).to.equal(shared)
        const own = expectOk(await admin.get(path)).headers
        expect(own['cache-control']).to.equal('private, max-age=60')
        expect(own.vary).to.equal('Accept, Authorization, Accept-Encoding')
        expect(own.etag).to.equal(headers.etag)
      }
  })
})
