/** docs/behaviour/tags.md#taggings: unusual bodies, both directions, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectError, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { objectWriter } from '../harness/object-writer.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('taggings', {}, (place) => {
  const { published: content } = objectWriter(place)
  const tag = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', { last_name_or_title: name, urlname: randomUUID(), ...more }),
    )

  const put = (tagId: string, predicate: string, id: string, body: JsonObject = {}) =>
    place.home.editor.put(`/tags/${tagId}/${predicate}/${id}`, body)

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
})
