/** docs/behaviour/tags.md, on every store. Taggings are in taggings.test.ts. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('tags', {}, (place) => {
  const create = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: name,
        urlname: name.toLowerCase().replaceAll(' ', '-'),
        ...more,
      }),
    )

  const names = async (query: string, api = place.home.reader): Promise<readonly Json[]> =>
    columnOf(await api.get(`/tags?fields=title&${query}`))

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
})
