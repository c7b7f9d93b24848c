/** Settings: PUT accepts what GET returns; the website’s address is one of them. PATCH and DELETE of smaller objects. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { firstHomepage } from '@publishing-service/domain/content'
import { expectError, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('settings, homepages, slots and blogs', {}, (place) => {
  // docs/behaviour/instance.md#settings
  it('accept a PUT of settings with what GET returns, unchanged', async () => {
    const { admin, editor } = place.home
    const { object } = expectOk(await admin.get('/settings', fresh))
    expectOk(await admin.put('/settings', object))
    expect(expectOk(await admin.get('/settings', fresh)).object).to.deep.equal(object)
    expectError(await editor.put('/settings', object), 403, 'forbidden')
  })

  it('reset settings that a PUT does not send, and keep those that a PATCH does not send', async () => {
    const { admin } = place.home
    const required = { title: 'News', timezone: 'UTC' }
    expectOk(await admin.patch('/settings', { language: 'de', website_url: 'https://www.example.org' }))
    expectOk(await admin.patch('/settings', { public_downloads: true }))
    expect(expectOk(await admin.get('/settings', fresh)).object).to.include({
      language: 'de',
      website_url: 'https://www.example.org',
      preview_url: null,
      public_downloads: true,
      prepare_images: false,
      public_feeds: false,
      public_reading: false,
      public_comments: false,
      shared_max_age: 60,
    })
    expectOk(await admin.put('/settings', required))
    expect(expectOk(await admin.get('/settings', fresh)).object).to.deep.equal({
      ...required,
      language: 'en',
      website_url: null,
      preview_url: null,
      hub_url: null,
      robots_disallow: [],
      public_downloads: false,
      prepare_images: false,
      public_feeds: false,
      public_reading: false,
      public_comments: false,
      shared_max_age: 60,
      directory_addon: false,
    })
    expectError(await admin.put('/settings', { title: 'News' }), 400, 'bad_parameters')
  })

  // docs/behaviour/instance.md#website-address
  it('accept null or http(s) as website_url; public_url of /info is null until it is set', async () => {
    const { admin, editor } = place.home
    const id = uuidOf(
      expectOk(await editor.post('/content', { content_type: 'article', title: 'A', urlname: 'a' })),
    )
    const info = async () => expectOk(await editor.get(`/content/${id}/info`, fresh)).object
    expect(await info()).to.deep.equal({ public_url: null })
    for (const wrong of ['javascript:alert(1)', 'ftp://example.org', ''])
      expectError(await admin.patch('/settings', { website_url: wrong }), 400, 'bad_parameters')
    for (const website of ['https://www.example.org', 'https://www.example.org/']) {
      expectOk(await admin.patch('/settings', { website_url: website }))
      expect(await info()).to.deep.equal({ public_url: 'https://www.example.org/a/' })
    }
    expectOk(await admin.patch('/settings', { website_url: null }))
    expect(await info()).to.deep.equal({ public_url: null })
  })

  // docs/behaviour/homepage.md#weekdays
  it('change the title of a homepage by PATCH, also of one that a word names', async () => {
    const { editor } = place.home
    for (const id of [firstHomepage.id, 'mon']) {
      expectOk(await editor.patch(`/homepage/${id}`, { title: 'Front' }))
      expect(expectOk(await editor.get(`/homepage/${id}`, fresh)).object['title']).to.equal('Front')
    }
    expectStatus(await editor.patch(`/homepage/${randomUUID()}`, { title: 'Front' }), 404)
  })

  // docs/behaviour/homepage.md#first-homepage
  it('reset the homepage of a weekday by DELETE, and keep the first homepage', async () => {
    const { editor } = place.home
    const initial = expectOk(await editor.get('/homepage/tue', fresh)).object
    expectOk(await editor.delete('/homepage/tue'))
    expectOk(await editor.put('/homepage/tue', { title: 'Tuesday’s' }))
    expectOk(await editor.delete('/homepage/tue'))
    expect(expectOk(await editor.get('/homepage/tue', fresh)).object).to.deep.equal(initial)
    const rejected = expectError(
      await editor.delete(`/homepage/${firstHomepage.id}`),
      405,
      'method_not_allowed',
    )
    expect(rejected.headers['allow']).to.equal('GET, HEAD, PUT, PATCH, OPTIONS')
    const another = randomUUID()
    expectOk(await editor.put(`/homepage/${another}`, { title: 'Another' }))
    expectOk(await editor.delete(`/homepage/${another}`))
    expectStatus(await editor.get(`/homepage/${another}`, fresh), 404)
  })

  // docs/behaviour/slots-and-media.md#configuration
  it('change the attributes of a slot that a PATCH sends', async () => {
    const { editor } = place.home
    const slot = randomUUID()
    const content = `<p>Text.</p><slot id="${slot}"/>`
    const article = { content_type: 'article', title: 'A', urlname: 'a', content }
    const path = `/content/${uuidOf(expectOk(await editor.post('/content', article)))}/slots/${slot}`
    expectOk(await editor.put(path, { display: 'gallery' }))
    expectOk(await editor.patch(path, {}))
    expect(expectOk(await editor.get(path, fresh)).object).to.include({ display: 'gallery' })
    expectOk(await editor.patch(path, { display: null, relevance: 'aside' }))
    expect(expectOk(await editor.get(path, fresh)).object).to.include({ display: null, relevance: 'aside' })
  })

  it('let a blog be changed and deleted', async () => {
    const { editor } = place.home
    const path = `/blogs/${uuidOf(expectOk(await editor.post('/blogs', { title: 'B', urlname: 'b' })))}`
    expectOk(await editor.patch(path, { title: 'Changed' }))
    expect(expectOk(await editor.get(path, fresh)).object['title']).to.equal('Changed')
    expectOk(await editor.delete(path))
    expectStatus(await editor.get(path, fresh), 404)
  })
})
