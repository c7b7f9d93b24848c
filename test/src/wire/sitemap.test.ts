/** The sitemap (docs/behaviour/feeds.md#sitemap). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { readSitemap } from '../harness/feed-schemas.js'
import { fresh, noon, onEveryStore } from '../harness/on-every-store.js'
import { storeImage } from '../harness/stored-files.js'

const website = 'https://www.example.org'

onEveryStore('the sitemap', { website_url: website, public_feeds: true }, (place) => {
  const create = async (path: string, body: Parameters<typeof place.home.admin.post>[1]): Promise<string> =>
    uuidOf(await place.home.admin.post(path, body))
  const article = (body: Readonly<Record<string, string>>): Promise<string> =>
    create('/content', {
      content_type: 'article',
      title: 'x',
      urlname: randomUUID(),
      state: 'published',
      issued: '2026-01-01',
      ...body,
    })
  const read = async (
    path = '/sitemap.xml',
    api = place.home.anonymous,
    headers: Readonly<Record<string, string>> = fresh,
  ) => readSitemap(await api.get(path, headers))
  const pages = async (...options: Parameters<typeof read>): Promise<readonly string[]> =>
    (await read(...options))('s:urlset/s:url/s:loc').map((url) => url.replace(website, ''))

  it('lists the public pages of every kind, and nothing else', async () => {
    const news = await create('/sections', { title: 'News', urlname: 'news' })
    await create('/sections', { title: 'Shop', urlname: 'shop', externalurl: 'https://shop.example.org/' })
    await article({ urlname: 'story', section_uuid: news, modified: '2026-01-02T23:59:00' })
    await article({ urlname: 'draft', state: 'draft' })
    await article({ urlname: 'future', issued: '2999-01-01' })
    await create('/locations', { title: 'Café', urlname: 'cafe', state: 'published' })
    await create('/locations', { title: 'Bar', urlname: 'bar', state: 'draft' })
    await create('/tags', { last_name_or_title: 'Wine', urlname: 'wine' })
    await create('/tags', { last_name_or_title: 'Secret', urlname: 'secret', state: 'internal' })
    for (const api of [place.home.anonymous, place.home.visitor, place.home.admin])
      expect(await pages('/sitemap.xml', api)).to.deep.equal([
        '/',
        '/news/',
        '/tags/wine/',
        '/locations/cafe/',
        '/news/story/',
      ])
    // That of the write, not of a `modified` that a client sends.
    const changed = await read()
    expect(changed(`s:urlset/s:url[s:loc='${website}/news/story/']/s:lastmod`)).to.deep.equal(['2026-03-01'])
  })

  it('has parts', async () => {
    await article({ urlname: 'story' })
    expect(await pages('/sitemap.xml?part=1')).to.deep.equal(['/'])
    expect(await pages('/sitemap.xml?part=2')).to.deep.equal(['/story/'])
    expectError(await place.home.anonymous.get('/sitemap.xml?part=3'), 404, 'not_found')
    for (const part of ['0', '-1', 'x', '1&part=2', ''])
      expectFaults(await place.home.anonymous.get(`/sitemap.xml?part=${part}`), 'part')
  })

  it('of an empty instance has the homepage', async () => {
    expect(await pages()).to.deep.equal(['/'])
  })

  it('needs a token if public_feeds is off', async () => {
    const { admin, anonymous, visitor } = place.home
    expectOk(await admin.patch('/settings', { public_feeds: false }))
    expectError(await anonymous.get('/sitemap.xml'), 401, 'unauthorized')
    expect(await pages('/sitemap.xml', visitor)).to.deep.equal(['/'])
  })

  it('shows content once its time has come, and follows writes at once', async () => {
    const id = await article({ urlname: 'story', issued: '2026-03-01T13:00:02' })
    for (const api of [place.home.anonymous, place.home.admin])
      expect(await pages('/sitemap.xml', api, {})).to.deep.equal(['/'])
    place.service.clock.set(noon + 2000)
    for (const api of [place.home.anonymous, place.home.admin])
      expect(await pages('/sitemap.xml', api, {})).to.deep.equal(['/', '/story/'])
    expectOk(await place.home.admin.patch(`/content/${id}`, { state: 'draft' }))
    expect(await pages('/sitemap.xml', place.home.anonymous, {})).to.deep.equal(['/'])
  })

  // docs/behaviour/feeds.md#images
  it('has the images of stories and of the slots in them, if downloads need no token', async () => {
    const { home } = place
    const { admin } = home
    const [header, pictured] = [await storeImage(admin), await storeImage(admin)]
    const slot = randomUUID()
    const story = await article({ header_image_uuid: header.id, content: `<slot id="${slot}"/>` })
    expectOk(
      await admin.put(`/content/${story}/slots/${slot}/media`, {
        items: [{ type: 'file', image_uuid: pictured.id }],
      }),
    )
    const images = async () => (await read())('s:urlset/s:url/image:image/image:loc')
    expect(await images()).to.deep.equal([])
    expectOk(await admin.patch('/settings', { public_downloads: true }))
    expect(await images()).to.have.members([header, pictured].map(({ download }) => `${home.url}${download}`))
  })

  // docs/behaviour/feeds.md#news
  it('of news has the live stories of the last two days', async () => {
    await article({ urlname: 'old', issued: '2026-02-27T12:59:00' })
    await article({ urlname: 'early', title: 'Early', issued: '2026-02-27T13:01:00' })
    await article({ urlname: 'late', title: 'Late', issued: '2026-03-01T12:00:00' })
    await article({ urlname: 'draft', state: 'draft', issued: '2026-03-01T12:00:00' })
    await article({ urlname: 'future', issued: '2026-03-01T13:01:00' })
    await article({ urlname: 'event', content_type: 'event', dtstart: '2026-04-01', issued: '2026-03-01' })
    const news = await read('/news-sitemap.xml')
    const each = 's:urlset/s:url/news:news'
    expect(news('s:urlset/s:url/s:loc')).to.deep.equal([`${website}/late/`, `${website}/early/`])
    expect(news(`${each}/news:title`)).to.deep.equal(['Late', 'Early'])
    expect(news(`${each}/news:publication_date`)[0]).to.equal('2026-03-01T12:00:00+01:00')
    expect(news(`${each}/news:publication/news:name`)[0]).to.equal('The Daily Test')
    expect(news(`${each}/news:publication/news:language`)[0]).to.equal('en')
  })

  // docs/behaviour/feeds.md#robots
  it('is named in robots.txt, with what robots may not read', async () => {
    const { admin, anonymous } = place.home
    expectOk(await admin.patch('/settings', { robots_disallow: ['/search/'] }))
    const { headers, text } = expectOk(await anonymous.get('/robots.txt', fresh))
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(text.split('\n')).to.include.members([
      'Disallow: /search/',
      `Sitemap: ${website}/sitemap.xml`,
      `Sitemap: ${website}/news-sitemap.xml`,
    ])
    expectFaults(
      await admin.patch('/settings', { robots_disallow: ['search', '/a b'] }),
      'robots_disallow.0',
      'robots_disallow.1',
    )
  })
})
