/** docs/behaviour/tags.md, on every store. Taggings are in taggings.test.ts. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectError, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { onEveryStore } from '../harness/on-every-store.js'

const social = {
  email: 'ann@example.org',
  website: 'https://ann.example.org',
  fb_username: 'ann.fb',
  twitter_username: 'ann_t',
  instagram_username: 'ann_i',
  linkedin_url: 'https://www.linkedin.com/in/ann',
}

onEveryStore('tags', {}, (place) => {
  const create = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: name,
        urlname: name.toLowerCase().replaceAll(' ', '-'),
        ...more,
      }),
    )
  const read = async (id: string, api = place.home.editor): Promise<JsonObject> =>
    expectOk(await api.get(`/tags/${id}`)).object
  const names = async (query: string, api = place.home.reader): Promise<readonly Json[]> =>
    columnOf(await api.get(`/tags?fields=title&${query}`))

  // docs/behaviour/tags.md#required
  it('require last_name_or_title; return every field with its default', async () => {
    expectFaults(await place.home.editor.post('/tags', {}), 'last_name_or_title')
    const id = await create('Jazz')
    const { created_by: creator, ...object } = await read(id)
    expect(creator).to.be.a('string')
    expect(object).to.deep.equal({
      uuid: id,
      url: `${place.home.url}/tags/${id}`,
      last_name_or_title: 'Jazz',
      path: '/tags/jazz/',
      first_name: null,
      email: null,
      website: null,
      fb_username: null,
      twitter_username: null,
      instagram_username: null,
      linkedin_url: null,
      title: 'Jazz',
      urlname: 'jazz',
      type: 'default',
      state: 'approved',
      description: null,
      content: null,
      synonyms: [],
      feature_image_uuid: null,
      feature_image_url: null,
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:00:00',
    })
  })

  it('have a urlname that is unique among tags', async () => {
    await create('Jazz')
    const { urlname } = expectFaults(
      await place.home.editor.post('/tags', { last_name_or_title: 'x', urlname: 'jazz' }),
      'urlname',
    )
    expect(urlname).to.equal("'urlname' must be unique for tags.")
  })

  // docs/behaviour/tags.md#persons
  it('have a first name, possibly empty, and social attributes for a person only', async () => {
    const id = await create('Lee', { type: 'person', first_name: 'Ann', ...social })
    expect(await read(id)).to.include({ type: 'person', first_name: 'Ann', title: 'Ann Lee', ...social })
    expectOk(await place.home.editor.patch(`/tags/${id}`, { first_name: '' }))
    expect(await read(id)).to.include({ first_name: '', title: 'Lee' })
    const wrong = { first_name: 'Ann', ...social }
    const jazz = await create('Jazz')
    expectFaults(await place.home.editor.patch(`/tags/${jazz}`, wrong), ...Object.keys(wrong))
    expectFaults(
      await place.home.editor.post('/tags', { last_name_or_title: 'x', urlname: 'x', ...wrong }),
      ...Object.keys(wrong),
    )
    // A plain tag cannot have attributes of a person.
    expectFaults(await place.home.editor.patch(`/tags/${id}`, { type: 'default' }), ...Object.keys(social))
    const nulls = Object.fromEntries(Object.keys(wrong).map((name): [string, Json] => [name, null]))
    expectOk(await place.home.editor.patch(`/tags/${id}`, { type: 'default', ...nulls }))
    expectOk(await place.home.editor.patch(`/tags/${jazz}`, { type: 'person', ...wrong }))
    expect(await read(jazz)).to.include({ title: 'Ann Jazz' })
  })

  it('have synonyms, content and a feature image', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('Jazz', {
      synonyms: ['Dschäss', 'Bebop'],
      content: '<p>Music.</p>',
      feature_image_uuid: image.id,
      title: 'ignored',
    })
    expect(await read(id)).to.deep.include({
      synonyms: ['Dschäss', 'Bebop'],
      content: '<p>Music.</p>',
      feature_image_url: `${place.home.url}${image.download}`,
      title: 'Jazz',
    })
    expectOk(await place.home.editor.patch(`/tags/${id}`, { content: 'Salt & pepper' }))
    expect((await read(id))['content']).to.equal('Salt & pepper')
    expectFaults(
      await place.home.editor.patch(`/tags/${id}`, { synonyms: ['x', ''], content: 'a < b' }),
      'synonyms.1',
      'content',
    )
  })

  // docs/behaviour/tags.md#state
  it('are public only where approved; provisional and internal ones are found at no URL', async () => {
    const { reader, visitor, editor } = place.home
    for (const state of ['approved', 'provisional', 'internal']) await create(state, { state })
    expect(await names('order=title', visitor)).to.deep.equal(['approved'])
    expect(await names('order=title', reader)).to.deep.equal(['approved', 'internal', 'provisional'])
    expect(await names('state=provisional-internal&order=title')).to.deep.equal(['internal', 'provisional'])
    expect(await names('state=internal', visitor)).to.deep.equal([])
    const hidden = columnOf(await reader.get('/tags?fields=uuid&state=provisional-internal'))
    for (const id of hidden)
      for (const tail of ['', '/describes', '/categories', '/path_history'])
        expectError(await visitor.get(`/tags/${String(id)}${tail}`), 404, 'not_found')
    const [first] = hidden
    expectOk(await editor.patch(`/tags/${String(first)}`, { state: 'approved' }))
    expectOk(await visitor.get(`/tags/${String(first)}`))
    expectFaults(await editor.patch(`/tags/${String(first)}`, { state: 'live' }), 'state')
  })

  // docs/behaviour/collections.md
  it('are filtered by type and state, and ordered by title, urlname, created, modified', async () => {
    await create('beta', { created: '2025-03-01', modified: '2025-01-01', urlname: 'x' })
    await create('Ärger', { created: '2025-01-01', modified: '2025-03-01', urlname: 'y' })
    await create('Zoe', {
      type: 'person',
      first_name: 'Cara',
      created: '2025-02-01',
      modified: '2025-02-01',
      urlname: 'z',
    })
    expect(await names('order=title')).to.deep.equal(['Ärger', 'beta', 'Cara Zoe'])
    expect(await names('order=urlname.desc')).to.deep.equal(['Cara Zoe', 'Ärger', 'beta'])
    expect(await names('order=created')).to.deep.equal(['Ärger', 'Cara Zoe', 'beta'])
    expect(await names('order=modified')).to.deep.equal(['beta', 'Cara Zoe', 'Ärger'])
    expect(await names('type=person')).to.deep.equal(['Cara Zoe'])
    expect(await names('type=default&order=title')).to.deep.equal(['Ärger', 'beta'])
    expect(await names('type=default-person&order=title')).to.have.lengthOf(3)
  })

  // docs/behaviour/tags.md#categories
  it('have categories with a title, ordered by it', async () => {
    const { editor, reader } = place.home
    expectFaults(await editor.post('/tags/categories', {}), 'title')
    const id = uuidOf(await editor.post('/tags/categories', { title: 'Music' }))
    uuidOf(await editor.post('/tags/categories', { title: 'art' }))
    const url = `${place.home.url}/tags/categories/${id}`
    const { created_by: creator, ...object } = expectOk(await reader.get(`/tags/categories/${id}`)).object
    expect(creator).to.be.a('string')
    expect(object).to.deep.equal({
      uuid: id,
      url,
      title: 'Music',
      urlname: null,
      kind: null,
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:00:00',
    })
    expect(columnOf(await reader.get('/tags/categories?fields=title&order=title'))).to.deep.equal([
      'art',
      'Location types',
      'Music',
    ])
    expect(columnOf(await reader.get('/tags/categories?order=title.desc'))[0]).to.equal(url)
    expect(expectOk(await editor.put(`/tags/categories/${id}`, { title: 'Sound' })).body).to.deep.equal({
      url,
      uuid: id,
    })
    expectOk(await editor.patch(`/tags/categories/${id}`, { title: 'Noise' }))
    expect(columnOf(await reader.get('/tags/categories?fields=title&order=title'))).to.deep.equal([
      'art',
      'Location types',
      'Noise',
    ])
    expectOk(await editor.delete(`/tags/categories/${id}`))
    expectError(await reader.get(`/tags/categories/${id}/tags`), 404, 'not_found')
  })

  // docs/behaviour/tags.md#members
  it('are listed as rows of a category, replaced by PUT, appended by POST, each once, in both directions', async () => {
    const { editor, reader } = place.home
    const [a, b, c] = [await create('a'), await create('b'), await create('c')]
    const music = uuidOf(await editor.post('/tags/categories', { title: 'Music' }))
    const art = uuidOf(await editor.post('/tags/categories', { title: 'Art' }))
    const path = `/tags/categories/${music}/tags`
    const members = async (query = '?fields=uuid') => columnOf(await reader.get(`${path}${query}`))
    expect(await members()).to.deep.equal([])
    expectOk(
      await editor.put(path, { items: [{ tag_uuid: b }, { tag_uuid: a.toUpperCase() }, { tag_uuid: b }] }),
    )
    expect(await members()).to.deep.equal([b, a])
    expect(await members('')).to.deep.equal([b, a].map((id) => `${place.home.url}/tags/${id}`))
    expectOk(await editor.post(path, { tag_uuid: c }))
    expectOk(await editor.post(path, { tag_uuid: b }))
    expect(await members()).to.deep.equal([b, a, c])
    expect(rowsOf(await reader.get(`${path}?fields=title-type&rpp=2&page=2`))).to.deep.equal([
      ['c', 'default'],
    ])
    expectOk(await editor.put(path, { items: [{ tag_uuid: a }] }))
    expect(await members()).to.deep.equal([a])
    expectOk(await editor.post(`/tags/categories/${art}/tags`, { tag_uuid: a }))
    const categories = async (id: string) =>
      columnOf(await reader.get(`/tags/${id}/categories?fields=title&order=title`))
    expect(await categories(a)).to.deep.equal(['Art', 'Music'])
    expect(await categories(b)).to.deep.equal([])
    expectOk(await editor.delete(`/tags/categories/${art}`))
    expect(await categories(a)).to.deep.equal(['Music'])
    expectOk(await editor.delete(`/tags/${a}`))
    expect(await members()).to.deep.equal([])
    expectFaults(await editor.post(path, { tag_uuid: a }), 'tag_uuid')
    // A new tag under the UUID of a deleted one is in none of its categories.
    expectOk(await editor.put(`/tags/${a}`, { last_name_or_title: 'another', urlname: 'another' }))
    expect(await members()).to.deep.equal([])
    expect(await categories(a)).to.deep.equal([])
    expectFaults(
      await editor.put(path, { items: [{ tag_uuid: b }, { tag_uuid: randomUUID() }, {}] }),
      'items.1.tag_uuid',
      'items.2.tag_uuid',
    )
  })

  // docs/behaviour/writing.md#preconditions
  it('have an If-Match tag for the members of a category: the one of its first page without parameters', async () => {
    const { editor } = place.home
    const path = `/tags/categories/${uuidOf(await editor.post('/tags/categories', { title: 'x' }))}/tags`
    const items: JsonObject[] = []
    for (let index = 0; index < 21; index += 1) items.push({ tag_uuid: await create(`t${index}`) })
    for (const count of [0, 20, 21]) {
      expectOk(await editor.put(path, { items: items.slice(0, count) }))
      const { headers } = expectOk(await editor.get(path))
      expectOk(await editor.put(path, { items: items.slice(0, 3) }, { 'If-Match': headers.etag }))
      for (const body of [{ items: [] }, { items: items.slice(0, 4) }])
        expectError(await editor.put(path, body, { 'If-Match': headers.etag }), 412, 'precondition_failed')
    }
  })

  it('show public_user of a category what it may see of tags', async () => {
    const { editor, visitor } = place.home
    const music = uuidOf(await editor.post('/tags/categories', { title: 'Music' }))
    const path = `/tags/categories/${music}/tags`
    const items = [
      await create('a'),
      await create('b', { state: 'internal' }),
      await create('c', { state: 'provisional' }),
    ]
    expectOk(await editor.put(path, { items: items.map((tag_uuid) => ({ tag_uuid })) }))
    expect(columnOf(await visitor.get(`${path}?fields=title`))).to.deep.equal(['a'])
    expect(columnOf(await editor.get(`${path}?fields=title`))).to.deep.equal(['a', 'b', 'c'])
  })

  it('are written by editors and admins only, as categories are', async () => {
    const id = await create('a')
    for (const api of [place.home.visitor, place.home.reader]) {
      expectError(await api.patch(`/tags/${id}`, {}), 403, 'forbidden')
      expectError(await api.post('/tags/categories', { title: 'x' }), 403, 'forbidden')
      expectError(await api.put(`/tags/categories/${randomUUID()}/tags`, { items: [] }), 403, 'forbidden')
    }
    expectOk(await place.home.admin.patch(`/tags/${id}`, {}))
  })
})
