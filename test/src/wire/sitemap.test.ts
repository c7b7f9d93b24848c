/** The sitemap (docs/behaviour/feeds.md#sitemap). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { readSitemap } from '../harness/feed-schemas.js'
import { fresh, noon, onEveryStore } from '../harness/on-every-store.js'

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
})
