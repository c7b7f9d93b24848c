/** Reading without a token (docs/behaviour/access.md#public-reading), as CDNs cache it (docs/behaviour/caching.md#public-data). */
import { expect } from 'chai'
import { it } from 'mocha'
import { expectError, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'
import { storeImage } from '../harness/stored-files.js'

const shared = 'public, max-age=60, s-maxage=3600, stale-while-revalidate=60'

const settings = { public_reading: true, shared_max_age: 3600, website_url: 'https://www.example.org' }

onEveryStore('reading with public_reading', settings, (place) => {
  const publish = async (): Promise<{ readonly story: string; readonly section: string }> => {
    const { admin } = place.home
    const section = uuidOf(await admin.post('/sections', { title: 'News', urlname: 'news' }))
    const story = uuidOf(
      await admin.post('/content', {
        content_type: 'article',
        title: 'A story',
        urlname: 'story',
        section_uuid: section,
        state: 'published',
        issued: '2026-01-01',
      }),
    )
    return { story, section }
  }

  it('shows without a token what a public_user reads, and nothing else', async () => {
    const { admin, anonymous, visitor } = place.home
    const { story } = await publish()
    const draft = uuidOf(
      await admin.post('/content', { content_type: 'article', title: 'Draft', urlname: 'draft' }),
    )
    const { download } = await storeImage(admin)
    for (const path of [
      '',
      '/content',
      `/content/${story}?include=section`,
      '/page?path=/news/story/',
      '/search?q=story',
      '/settings',
      '/feed/all.atom',
      download,
    ]) {
      const [without, having] = [await anonymous.get(path), await visitor.get(path)]
      expect(expectOk(without).bytes.equals(expectOk(having).bytes), path).to.equal(true)
    }
    expectError(await anonymous.get(`/content/${draft}`), 404, 'not_found')
    for (const path of ['/changes', '/trash', '/audit', '/webhooks', `/content/${story}/versions`])
      expectError(await anonymous.get(path), 401, 'unauthorized')
    for (const path of ['/content', '/comments', '/sections'])
      expectError(await anonymous.post(path, {}), 401, 'unauthorized')
    expectError(await anonymous.delete(`/content/${story}`), 401, 'unauthorized')
    expectError(await anonymous.patch('/settings', { public_reading: false }), 401, 'unauthorized')
    expectOk(await admin.patch('/settings', { public_reading: false }))
    expectError(await anonymous.get('/content'), 401, 'unauthorized')
  })

  it('lets shared caches have it for shared_max_age, apart from responses with a token', async () => {
    const { admin, anonymous, visitor } = place.home
    const { story } = await publish()
    for (const path of [`/content/${story}`, '/content', '/page?path=/news/story/'])
      for (let time = 0; time < 2; time += 1) {
        const { headers } = expectOk(await anonymous.get(path))
        expect(headers['cache-control'], path).to.equal(shared)
        expect(headers.vary).to.equal('Authorization, Accept-Encoding')
        const same = await anonymous.get(path, { 'If-None-Match': String(headers.etag) })
        expect(expectStatus(same, 304).headers['cache-control']).to.equal(shared)
        const own = expectOk(await visitor.get(path))
        expect(own.headers['cache-control']).to.equal('private, max-age=60')
        expect(own.headers).not.to.have.property('cache-tag')
      }
    const feed = expectOk(await anonymous.get('/feed/all.atom'))
    expect(feed.headers).to.include({ 'cache-control': shared, vary: 'Accept-Encoding' })
    const missing = expectError(await anonymous.get('/page?path=/none/'), 404, 'not_found')
    expect(missing.headers['cache-control']).to.equal('no-store')
    expectOk(await admin.patch('/settings', { shared_max_age: 0 }))
    const { headers } = expectOk(await anonymous.get('/content'))
    expect(headers['cache-control']).to.equal('public, max-age=60, s-maxage=0, stale-while-revalidate=60')
  })

  // docs/behaviour/caching.md#cache-tags
  it('leads from paths in every script to where they lead with a token, with tags that a header can have', async () => {
    const { admin, anonymous, visitor } = place.home
    const { story } = await publish()
    const earlier = ['/новости/старое/', '/łódź/', '/straße/', '/東京/😀/', '/a,b;c/']
    for (const path of earlier) expectOk(await admin.post(`/content/${story}/path_history`, { path }))
    const redirected = ['/a,b/', '/ü,/']
    for (const [ord, pattern] of redirected.entries())
      expectOk(await admin.post('/redirects', { pattern, template: '/łódź/', ord }))
    for (const path of [...earlier, ...redirected])
      for (const name of ['resolve', 'page']) {
        const address = `/${name}?path=${encodeURIComponent(path)}`
        const [without, having] = [await anonymous.get(address), await visitor.get(address)]
        expect(expectOk(without).object, address).to.deep.equal(expectOk(having).object)
        expect(without.object).to.include({ location: '/news/story/' })
        for (const tag of String(without.headers['cache-tag']).split(','))
          expect(tag).to.match(/^(?:publication-\d+(?:-[a-z_]+)?|[0-9a-f-]{36})$/)
      }
  })

  // docs/behaviour/caching.md#cache-tags
  it('has tags of what is shown, by which caches purge it', async () => {
    const { admin, anonymous, number } = place.home
    const { story, section } = await publish()
    const { id: picture } = await storeImage(admin)
    expectOk(await admin.patch(`/content/${story}`, { header_image_uuid: picture }))
    const tagsOf = async (path: string): Promise<readonly string[]> =>
      String(expectOk(await anonymous.get(path)).headers['cache-tag']).split(',')
    for (let time = 0; time < 2; time += 1) {
      expect(await tagsOf(`/content/${story}`)).to.include.members([`publication-${number}`, story, section])
      expect(await tagsOf(`/content/${story}`)).not.to.include(`publication-${number}-content`)
      expect(await tagsOf('/content')).to.include(`publication-${number}-content`)
      expect(await tagsOf('/page?path=/news/story/')).to.include.members([story, section, picture])
    }
  })
})
