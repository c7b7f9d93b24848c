/** docs/behaviour/tags.md#taggings: predicates by kind of object, unusual bodies, both directions, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { contentTypes } from '@publishing-service/domain/content'
import { predicateNames, predicates } from '@publishing-service/domain/tags'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  objectsOf,
  rowsOf,
  uuidOf,
} from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { objectWriter } from '../harness/object-writer.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

/** The predicates of each kind of object (docs/behaviour/tags.md#predicates), independent of the service. */
const table: Readonly<Record<string, readonly string[]>> = {
  describes: [...contentTypes, 'locations', 'files', 'blogs'],
  authored: contentTypes,
  edited: contentTypes,
  is_brand_of_reviewed: ['review_album', 'review_book', 'review_product', 'review_movie'],
  type_of_reviewed: ['review_album', 'review_book', 'review_product', 'review_movie'],
  created_reviewed: ['review_album', 'review_book', 'review_movie'],
  illustrated_reviewed: ['review_book'],
  translated_reviewed: ['review_book'],
  photographed: ['files'],
  illustrated: ['files'],
}

onEveryStore('taggings', {}, (place) => {
  const { published: content, location } = objectWriter(place)
  const tag = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', { last_name_or_title: name, urlname: randomUUID(), ...more }),
    )
  const blog = async (): Promise<string> =>
    uuidOf(await place.home.editor.post('/blogs', { title: 'x', urlname: randomUUID() }))
  const put = (tagId: string, predicate: string, id: string, body: JsonObject = {}) =>
    place.home.editor.put(`/tags/${tagId}/${predicate}/${id}`, body)

  // docs/behaviour/tags.md#predicates
  it('accept each predicate for its kinds of object, and report a fault for others', async () => {
    expect(Object.keys(predicates)).to.have.members(Object.keys(table))
    const objects = new Map<string, string>()
    for (const type of contentTypes) objects.set(type, await content(type))
    objects.set('locations', await location())
    objects.set('files', (await storeImage(place.home.editor)).id)
    objects.set('blogs', await blog())
    const jazz = await tag('Jazz')
    for (const predicate of predicateNames)
      for (const [kind, id] of objects) {
        const response = await put(jazz, predicate, id)
        if (table[predicate]?.includes(kind) === true) expectOk(response)
        else expectFaults(response, 'predicate')
      }
    expectFaults(await put(jazz, 'likes', objects.get('article') ?? ''), 'predicate')
    expectFaults(
      await put(jazz, 'likes', objects.get('article') ?? '', { created: 'x' }),
      'predicate',
      'created',
    )
  })

  // docs/behaviour/wire.md#optional-bodies
  it('accept an absent body, {} or {"": null}, and return url and uuid', async () => {
    const [jazz, id] = [await tag('Jazz'), await content()]
    const path = `/tags/${jazz}/describes/${id}`
    const response = { url: `${place.home.url}${path}`, uuid: id }
    const { editor } = place.home
    expect(expectOk(await editor.send('PUT', path)).body).to.deep.equal(response)
    expect(expectOk(await editor.send('PUT', path, { body: '' })).body).to.deep.equal(response)
    const json = { 'Content-Type': 'application/json' }
    for (const body of ['', '{}', '{"":null}'])
      for (const chunked of [false, true])
        expect(expectOk(await editor.send('PUT', path, { body, chunked, headers: json })).body).to.deep.equal(
          response,
        )
    expect(objectsOf(await editor.get(`/content/${id}/tags`))).to.have.lengthOf(1)
  })

  it('are idempotent: created stays unchanged unless one is sent', async () => {
    const [jazz, id] = [await tag('Jazz'), await content()]
    const path = `/tags/${jazz}/describes/${id}`
    const created = async () => expectOk(await place.home.reader.get(path)).object['created']
    expectOk(await put(jazz, 'describes', id))
    expect(await created()).to.equal('2026-03-01T13:00:00')
    place.service.clock.advance(60_000)
    expectOk(await put(jazz, 'describes', id))
    expect(await created()).to.equal('2026-03-01T13:00:00')
    expectOk(await put(jazz, 'describes', id, { created: '2025-01-01T10:00:00Z' }))
    expect(await created()).to.equal('2025-01-01T11:00:00')
    expectOk(await put(jazz, 'describes', id, { '': null }))
    expect(await created()).to.equal('2025-01-01T11:00:00')
    const modified = expectOk(await place.home.reader.get(`/content/${id}`)).object['modified']
    expect(modified, 'a tag is no change of the object').to.equal('2026-03-01T13:00:00')
  })

  it('return 200 or 404 for GET; DELETE removes the tag of one predicate only', async () => {
    const [jazz, id] = [await tag('Jazz'), await content()]
    const { editor, reader } = place.home
    const path = (predicate: string) => `/tags/${jazz}/${predicate}/${id}`
    expectError(await reader.get(path('describes')), 404, 'not_found')
    expectOk(await put(jazz, 'describes', id))
    expectOk(await put(jazz, 'authored', id))
    expect(expectOk(await reader.get(path('describes'))).body).to.deep.equal({
      url: `${place.home.url}${path('describes')}`,
      uuid: id,
      tag_uuid: jazz,
      predicate: 'describes',
      created: '2026-03-01T13:00:00',
    })
    expect(expectOk(await editor.delete(path('describes'))).body).to.deep.equal({ msg: 'deleted' })
    expectError(await reader.get(path('describes')), 404, 'not_found')
    expectError(await editor.delete(path('describes')), 404, 'not_found')
    expectOk(await reader.get(path('authored')))
    expect(columnOf(await reader.get(`/tags/${jazz}/describes`))).to.deep.equal([])
  })

  // docs/behaviour/tags.md#tags-of-an-object
  it('list the tags of an object, all or by predicate', async () => {
    const { reader, visitor, editor } = place.home
    const [jazz, ann] = [await tag('Jazz'), await tag('Lee', { type: 'person', first_name: 'Ann' })]
    const secret = await tag('Secret', { state: 'internal' })
    const image = (await storeImage(editor)).id
    for (const [collection, id] of [
      ['content', await content()],
      ['locations', await location()],
      ['files', image],
    ] as const) {
      expectOk(await put(jazz, 'describes', id))
      expectOk(await put(secret, 'describes', id))
      const second = collection === 'content' ? 'authored' : 'describes'
      expectOk(await put(ann, second, id))
      const row = (
        uuid: string,
        predicate: string,
        title: string,
        type: string,
        state = 'approved',
      ): Json => ({
        uuid,
        url: `${place.home.url}/tags/${uuid}`,
        predicate,
        title,
        type,
        state,
      })
      const all = [
        row(jazz, 'describes', 'Jazz', 'default'),
        row(secret, 'describes', 'Secret', 'default', 'internal'),
        row(ann, second, 'Ann Lee', 'person'),
      ]
      expect(objectsOf(await reader.get(`/${collection}/${id}/tags`))).to.deep.equal(all)
      expect(objectsOf(await visitor.get(`/${collection}/${id}/tags`))).to.deep.equal([all[0], all[2]])
      const some = all.filter((each) => (each as JsonObject)['predicate'] === second)
      expect(objectsOf(await reader.get(`/${collection}/${id}/tags/${second}`))).to.deep.equal(some)
      expectError(await reader.get(`/${collection}/${id}/tags/likes`), 404, 'not_found')
      expectError(await visitor.put(`/tags/${jazz}/describes/${id}`, {}), 403, 'forbidden')
    }
  })

  // docs/behaviour/tags.md#objects-of-a-tag
  // docs/behaviour/collections.md#subcollections
  it('list the objects of a tag and predicate as rows, with pages', async () => {
    const { reader, editor, visitor } = place.home
    const jazz = await tag('Jazz')
    const ids: [string, string][] = []
    for (let index = 0; index < 3; index += 1) ids.push([await content(), 'content'])
    const hidden = await content('article', { state: 'draft' })
    ids.push(
      [hidden, 'content'],
      [await location(), 'location'],
      [(await storeImage(editor)).id, 'file'],
      [await blog(), 'blog'],
    )
    for (const [id] of ids) expectOk(await put(jazz, 'describes', id))
    const path = `/tags/${jazz}/describes?fields=uuid-type`
    expect(rowsOf(await reader.get(path))).to.deep.equal(ids)
    expect(rowsOf(await visitor.get(path))).to.deep.equal(ids.filter(([id]) => id !== hidden))
    const seen: (readonly Json[])[] = []
    for (let page = 1; page <= 4; page += 1) {
      const response = await reader.get(`${path}&rpp=2&page=${page}`)
      seen.push(...rowsOf(response))
      expect(response.object['next'] !== undefined).to.equal(page < 4)
    }
    expect(seen).to.deep.equal(ids)
    const first = ids[0]?.[0] ?? ''
    expect(rowsOf(await reader.get(`/tags/${jazz}/describes?fields=url-uuid-type&rpp=1`))).to.deep.equal([
      [`${place.home.url}/content/${first}`, first, 'content'],
    ])
    expect(columnOf(await reader.get(`/tags/${jazz}/photographed`))).to.deep.equal([])
  })

  // docs/behaviour/tags.md#objects-of-a-tag
  it('list the objects of a tag with the fields, orders and filters of their kinds', async () => {
    const { reader, editor, visitor } = place.home
    const jazz = await tag('Jazz')
    const created = (day: number) => `2026-01-0${day}T12:00:00`
    const objects = [
      await content('article', { title: 'b', created: created(2) }),
      await content('event', { title: 'Ä', dtstart: created(1), created: created(4), state: 'draft' }),
      uuidOf(await editor.post('/locations', { title: 'B', urlname: 'place', created: created(1) })),
      uuidOf(await editor.post('/files', { title: 'a', filename: 'a.png', created: created(3) })),
      await blog(),
    ]
    for (const id of objects) expectOk(await put(jazz, 'describes', id))
    const listed = async (query: string, api = reader) =>
      columnOf(await api.get(`/tags/${jazz}/describes?fields=uuid&${query}`)).map((id) =>
        objects.findIndex((each) => each === id),
      )
    for (const [query, ...expected] of [
      ['order=created', 4, 2, 0, 3, 1],
      ['order=created.desc', 1, 3, 0, 2, 4],
      ['order=created.desc&rpp=2&page=2', 0, 2],
      ['order=title&type=content-location-file', 1, 3, 0, 2],
      ['order=title.desc&type=content-location-file', 2, 0, 3, 1],
      ['state=draft', 1],
      ['state=published', 0, 2, 3, 4],
      ['type=blog-file', 3, 4],
      ['created=2026-01-02_2026-01-04&order=created.desc', 3, 0],
      ['closed=false', 2],
    ] as const)
      expect(await listed(query), query).to.deep.equal(expected)
    expect(await listed('order=created', visitor)).to.deep.equal([4, 2, 0])
    const path = `/tags/${jazz}/describes?fields=title-urlname-state-filename&order=filename.desc`
    const [picture, ...others] = rowsOf(await reader.get(path))
    expect(picture).to.deep.equal(['a', null, null, 'a.png'])
    expect(others.find(([title]) => title === 'b')?.[2]).to.equal('published')
    expectFaults(
      await visitor.get(`/tags/${jazz}/describes?state=draft&order=x&type=x`),
      'state',
      'order',
      'type',
    )
  })

  it('show the writer at once what it attached, removed, deleted or hid, in every list', async () => {
    const { editor, visitor } = place.home
    const [jazz, id] = [await tag('Jazz'), await content()]
    const lists = async (api = editor) => [
      columnOf(await api.get(`/tags/${jazz}/describes?fields=uuid`)).length,
      objectsOf(await api.get(`/content/${id}/tags`)).length,
      objectsOf(await api.get('/tag_cloud')).length,
    ]
    expect(await lists()).to.deep.equal([0, 0, 0])
    expectOk(await put(jazz, 'describes', id))
    expect(await lists()).to.deep.equal([1, 1, 1])
    expect(await lists(visitor)).to.deep.equal([1, 1, 1])
    expectOk(await editor.delete(`/tags/${jazz}/describes/${id}`))
    expect(await lists()).to.deep.equal([0, 0, 0])
    expect(await lists(visitor)).to.deep.equal([0, 0, 0])
    expectOk(await put(jazz, 'authored', id))
    expectOk(await put(jazz, 'describes', id))
    expectOk(await editor.patch(`/content/${id}`, { state: 'draft' }))
    expect(await lists()).to.deep.equal([1, 2, 0])
    expectError(await visitor.get(`/content/${id}/tags`), 404, 'not_found')
    expect(columnOf(await visitor.get(`/tags/${jazz}/describes`))).to.deep.equal([])
    expectOk(await editor.patch(`/content/${id}`, { state: 'published' }))
    expect(await lists(visitor)).to.deep.equal([1, 2, 1])
  })

  // docs/behaviour/tags.md#deletion
  it('are deleted with their tag or object, also when another one is created under the same UUID', async () => {
    const { editor } = place.home
    const [jazz, id] = [await tag('Jazz'), await content()]
    expectOk(await put(jazz, 'describes', id))
    expectOk(await editor.delete(`/tags/${jazz}`))
    expect(objectsOf(await editor.get(`/content/${id}/tags`))).to.deep.equal([])
    expectError(await editor.get(`/tags/${jazz}/describes/${id}`), 404, 'not_found')
    expectOk(await editor.put(`/tags/${jazz}`, { last_name_or_title: 'Another', urlname: 'another' }))
    expect(objectsOf(await editor.get(`/content/${id}/tags`, fresh))).to.deep.equal([])
    expectOk(await put(jazz, 'describes', id))
    expectOk(await editor.delete(`/content/${id}`))
    expect(columnOf(await editor.get(`/tags/${jazz}/describes`))).to.deep.equal([])
    expectOk(await editor.put(`/content/${id}`, { content_type: 'article', title: 'x', urlname: 'new' }))
    expect(columnOf(await editor.get(`/tags/${jazz}/describes`, fresh))).to.deep.equal([])
    expect(objectsOf(await editor.get(`/content/${id}/tags`, fresh))).to.deep.equal([])
  })

  // docs/behaviour/tags.md#object-writes
  it('are kept by a write of the object; all simultaneous taggings are stored', async () => {
    const id = await content()
    const tags = await Promise.all(Array.from({ length: 12 }, (_each, index) => tag(`T${index}`)))
    const { editor } = place.home
    const responses = await Promise.all([
      ...tags.map((each) => put(each, 'describes', id)),
      editor.patch(`/content/${id}`, { title: 'Another' }),
    ])
    responses.forEach(expectOk)
    expectOk(await editor.put(`/content/${id}`, expectOk(await editor.get(`/content/${id}`)).body))
    expect(objectsOf(await editor.get(`/content/${id}/tags`))).to.have.lengthOf(12)
  })
})
