/**
 * Comments (docs/behaviour/comments-and-links.md): who reads and writes what, trees, deletions, counts, on every
 * store.
 */
import { expect } from 'chai'
import { beforeEach, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import {
  columnOf,
  expectError,
  expectFaults,
  expectOk,
  expectStatus,
  rowsOf,
  uuidOf,
} from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { objectWriter } from '../harness/object-writer.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('comments', {}, (place) => {
  const { published } = objectWriter(place)
  let story: string

  const on = (parent: string, more: JsonObject = {}): JsonObject => ({
    parent_type: 'content',
    parent_uuid: parent,
    comment: 'Well said.',
    state: 'published',
    ...more,
  })
  const to = (parent: string, more: JsonObject = {}): JsonObject => ({
    ...on(parent, more),
    parent_type: 'comment',
  })
  const post = async (body: JsonObject, api: Api = place.home.editor): Promise<string> =>
    uuidOf(await api.post('/comments', body))
  const read = async (id: string, api: Api = place.home.reader): Promise<JsonObject> =>
    expectOk(await api.get(`/comments/${id}`)).object
  const list = async (query: string, api: Api = place.home.reader): Promise<readonly Json[]> =>
    columnOf(await api.get(`/comments?fields=uuid&rpp=100&${query}`))
  const count = async (id: string): Promise<Json> =>
    expectOk(await place.home.visitor.get(`/content/${id}`)).object['comments_count'] ?? null

  beforeEach(async () => {
    story = await published('article', { title: 'A story' })
  })

  it('return all their attributes, and are drafts after POST and PUT', async () => {
    const id = await post({ parent_type: 'content', parent_uuid: story, comment: 'First & <b>last</b>\n' })
    expect(await read(id)).to.deep.include({
      uuid: id,
      url: `${place.home.url}/comments/${id}`,
      parent_type: 'content',
      parent_uuid: story,
      parent_url: `${place.home.url}/content/${story}`,
      content_uuid: story,
      title: null,
      comment: 'First & <b>last</b>\n',
      edited_title: null,
      edited_comment: null,
      creator: null,
      email: null,
      fb_uid: null,
      state: 'draft',
      deleted: false,
    })
    const chosen = randomUUID()
    expectOk(await place.home.editor.put(`/comments/${chosen}`, to(id, { creator: 'Ada' })))
    expect(await read(chosen)).to.deep.include({
      parent_type: 'comment',
      parent_uuid: id,
      parent_url: `${place.home.url}/comments/${id}`,
      content_uuid: story,
      creator: 'Ada',
      state: 'published',
    })
    expectOk(await place.home.editor.patch(`/comments/${chosen}`, { title: 'T' }))
    expect(await read(chosen)).to.include({ title: 'T', creator: 'Ada' })
    const fields = 'created-parent_type-parent_url-parent_uuid-state-title-url-uuid'
    const row = rowsOf(await place.home.reader.get(`/comments?fields=${fields}&parents=${id}`))[0]
    expect(row?.slice(1)).to.deep.equal([
      'comment',
      `${place.home.url}/comments/${id}`,
      id,
      'published',
      'T',
      `${place.home.url}/comments/${chosen}`,
      chosen,
    ])
  })

  it('stay drafts where a contributor creates them', async () => {
    const { contributor } = place.home.as
    expectError(await contributor.post('/comments', on(story)), 403, 'forbidden')
    const draft = await post(on(story, { state: 'draft' }), contributor)
    expectOk(await contributor.patch(`/comments/${draft}`, { title: 'T' }))
    expectError(await contributor.patch(`/comments/${draft}`, { state: 'published' }), 403, 'forbidden')
    const others = await post(on(story, { state: 'draft' }))
    expectError(await contributor.patch(`/comments/${others}`, { title: 'T' }), 403, 'forbidden')
    expectError(await contributor.delete(`/comments/${others}`), 403, 'forbidden')
    expectOk(await contributor.delete(`/comments/${draft}`))
    for (const api of [place.home.reader, place.home.visitor])
      expectError(await api.post('/comments', on(story)), 403, 'forbidden')
  })

  it('are listed in the order of their creation where they were created at the same time', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push(await post(on(story, { created: '2026-01-01' })))
    const replies: string[] = []
    for (const id of ids) replies.push(await post(to(id)))
    expect(await list('order=tree')).to.deep.equal(ids.flatMap((id, index) => [id, replies[index]]))
  })

  // docs/behaviour/comments-and-links.md#comment-filters
  it('are filtered by parents, content and creation, and ordered by created, title and uuid', async () => {
    const other = await published()
    const first = await post(on(story, { title: 'b', created: '2026-01-01T00:00:00' }))
    const reply = await post(to(first, { title: 'C', created: '2026-01-02T00:00:00' }))
    const second = await post(on(other, { title: 'a', created: '2026-01-03T00:00:00' }))
    expect(await list(`parents=${story}`)).to.deep.equal([first])
    expect(await list(`parents=${first}_${other}&order=created`)).to.deep.equal([reply, second])
    expect(await list(`content=${story}&order=created`)).to.deep.equal([first, reply])
    expect(await list('created=2026-01-02_2026-01-03')).to.deep.equal([reply])
    expect(await list('order=created.desc')).to.deep.equal([second, reply, first])
    expect(await list('order=title')).to.deep.equal([second, first, reply])
    expect(await list('order=uuid')).to.deep.equal([first, reply, second].toSorted())
    expectFaults(await place.home.reader.get('/comments?parents=x&order=depth'), 'parents', 'order')
  })

  // docs/behaviour/comments-and-links.md#placeholder
  it('leave a placeholder where they have replies', async () => {
    const { editor, reader, visitor } = place.home
    const id = await post(
      on(story, { title: 'T', creator: 'Ada', email: 'ada@example.org', edited_comment: 'E' }),
    )
    const reply = await post(to(id))
    const deep = await post(to(reply))
    expect(await count(story)).to.equal(3)
    for (const deleted of [id, reply]) expectOk(await editor.delete(`/comments/${deleted}`))
    expect(await read(id)).to.include({
      deleted: true,
      title: null,
      comment: '—',
      edited_comment: null,
      creator: null,
      email: null,
      state: 'published',
      parent_uuid: story,
    })
    expect(await list('order=tree', visitor)).to.deep.equal([id, reply, deep])
    expect(await count(story)).to.equal(1)
    const text = expectOk(await reader.get(`/comments/${id}`)).text
    expectOk(await editor.put(`/comments/${id}`, await read(id), { Prefer: 'handling=strict' }))
    expect(expectOk(await reader.get(`/comments/${id}`, fresh)).text).to.equal(text)
    expectFaults(await editor.patch(`/comments/${id}`, { comment: 'x', title: 'x' }), 'comment', 'title')
    expectFaults(await editor.post('/comments', to(id)), 'parent_uuid')
    expectOk(await editor.delete(`/comments/${id}`))
    expect(await list('')).to.have.lengthOf(3)
    expectOk(await editor.delete(`/comments/${deep}`))
    expect(await list('')).to.deep.equal([])
    expectStatus(await editor.delete(`/comments/${id}`), 404)
  })

  it('of another instance are neither found nor replied to', async () => {
    const id = await post(on(story))
    const elsewhere = await createPublication(place.service)
    expect(columnOf(await elsewhere.reader.get('/comments?fields=uuid'))).to.deep.equal([])
    expectError(await elsewhere.reader.get(`/comments/${id}`), 404, 'not_found')
    expectFaults(await elsewhere.editor.post('/comments', to(id)), 'parent_uuid')
    expectFaults(await elsewhere.editor.post('/comments', on(story)), 'parent_uuid')
  })
})
