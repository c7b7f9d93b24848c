/**
 * Comments (docs/behaviour/comments-and-links.md): who reads and writes what, trees, deletions, counts, on every
 * store.
 */
import { expect } from 'chai'
import { beforeEach, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { maxCommentDepth } from '@publishing-service/domain/content'
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

  // docs/behaviour/comments-and-links.md#parents
  it('require a parent of the type that they name, and a text of at most 10000 characters', async () => {
    const { editor } = place.home
    const id = await post(on(story))
    expectFaults(await editor.post('/comments', {}), 'parent_type', 'parent_uuid', 'comment')
    expectFaults(await editor.post('/comments', on(id)), 'parent_uuid')
    expectFaults(await editor.post('/comments', to(story)), 'parent_uuid')
    expectFaults(await editor.post('/comments', on(randomUUID())), 'parent_uuid')
    expectFaults(await editor.post('/comments', on(story, { comment: '' })), 'comment')
    expectFaults(await editor.post('/comments', on(story, { comment: 'é'.repeat(10_001) })), 'comment')
    expectOk(await editor.post('/comments', on(story, { comment: 'é'.repeat(10_000) })))
    expectFaults(await editor.patch(`/comments/${id}`, { parent_uuid: await published() }), 'parent_uuid')
    expectFaults(await editor.patch(`/comments/${id}`, { parent_type: 'comment' }), 'parent_type')
  })

  // docs/behaviour/comments-and-links.md#edited-comments
  // docs/behaviour/comments-and-links.md#comment-states
  it('show a public_user published ones only, edited, without addresses', async () => {
    const { editor, visitor } = place.home
    const draft = await post(on(story, { state: 'draft' }))
    const id = await post(
      on(story, {
        title: 'Rude',
        comment: 'Rude words.',
        email: 'ada@example.org',
        fb_uid: 'ada',
        creator: 'Ada',
      }),
    )
    expectOk(await editor.patch(`/comments/${id}`, { edited_title: 'Kind', edited_comment: 'Kind words.' }))
    expect(await read(id)).to.include({
      title: 'Rude',
      comment: 'Rude words.',
      edited_title: 'Kind',
      edited_comment: 'Kind words.',
      email: 'ada@example.org',
      fb_uid: 'ada',
    })
    expect(await read(id, visitor)).to.include({
      title: 'Kind',
      comment: 'Kind words.',
      edited_title: null,
      edited_comment: null,
      email: null,
      fb_uid: null,
      creator: 'Ada',
      created_by: null,
    })
    const row = rowsOf(await visitor.get('/comments?fields=uuid-title-comment-email-edited_comment'))
    expect(row).to.deep.equal([[id, 'Kind', 'Kind words.', null, null]])
    expectError(await visitor.get(`/comments/${draft}`), 404, 'not_found')
    expectFaults(await visitor.get('/comments?state=draft'), 'state')
    expect(await list('state=published', visitor)).to.deep.equal([id])
    expect(await list('state=draft')).to.deep.equal([draft])
    expectFaults(await visitor.get('/comments?state=live'), 'state')
  })

  // docs/behaviour/comments-and-links.md#visible-comments
  it('are hidden from a public_user with their content and with comments above them', async () => {
    const { editor, visitor } = place.home
    const id = await post(on(story))
    const reply = await post(to(id))
    for (const path of [`/content/${story}`, `/comments/${id}`]) {
      expectOk(await editor.patch(path, { state: 'draft' }))
      expectError(await visitor.get(`/comments/${reply}`), 404, 'not_found')
      for (const query of ['', `content=${story}`, `parents=${id}`])
        expect(await list(query, visitor), `${path} ${query}`).to.deep.equal([])
      expect(await read(reply)).to.include({ parent_uuid: id, content_uuid: story })
      expectOk(await editor.patch(path, { state: 'published' }))
      expect(await list('', visitor)).to.deep.equal([id, reply])
      expect(await read(reply, visitor)).to.include({ parent_uuid: id, content_uuid: story })
    }
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

  // docs/behaviour/comments-and-links.md#tree-order
  it('are ordered as a tree: depth first, siblings by creation', async () => {
    const other = await published()
    const at = (minute: number): JsonObject => ({ created: `2026-01-01T00:0${minute}:00` })
    const second = await post(on(story, at(5)))
    const first = await post(on(story, at(1)))
    const reply2 = await post(to(first, at(9)))
    const reply1 = await post(to(first, at(2)))
    const deep = await post(to(reply1, at(8)))
    const elsewhere = await post(on(other, at(3)))
    const tree = [first, reply1, deep, reply2, elsewhere, second]
    expect(await list('order=tree')).to.deep.equal(tree)
    expect(await list('order=tree.desc')).to.deep.equal(tree.toReversed())
    const ofStory = tree.filter((id) => id !== elsewhere)
    expect(await list(`order=tree&content=${story}`)).to.deep.equal(ofStory)
    expect(await list(`order=tree&content=${story}`, place.home.visitor)).to.deep.equal(ofStory)
    const pages: Json[] = []
    for (let page = 1; page <= 3; page += 1)
      pages.push(
        ...columnOf(await place.home.reader.get(`/comments?fields=uuid&order=tree&rpp=2&page=${page}`)),
      )
    expect(pages).to.deep.equal(tree)
    expectOk(await place.home.editor.patch(`/comments/${deep}`, { comment: 'Changed.' }))
    expect(await list('order=tree')).to.deep.equal(tree)
  })

  it('are listed in the order of their creation where they were created at the same time', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push(await post(on(story, { created: '2026-01-01' })))
    const replies: string[] = []
    for (const id of ids) replies.push(await post(to(id)))
    expect(await list('order=tree')).to.deep.equal(ids.flatMap((id, index) => [id, replies[index]]))
  })

  it(`nest ${maxCommentDepth} levels deep`, async () => {
    let parent = await post(on(story))
    const ids = [parent]
    for (let level = 2; level <= maxCommentDepth; level += 1) ids.push((parent = await post(to(parent))))
    expectFaults(await place.home.editor.post('/comments', to(parent)), 'parent_uuid')
    expect(await list('order=tree')).to.deep.equal(ids)
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

  // docs/behaviour/content.md#delete
  it('are deleted with their content', async () => {
    const other = await published()
    const id = await post(on(story))
    const reply = await post(to(id))
    const stays = await post(on(other))
    expectOk(await place.home.editor.delete(`/content/${story}`))
    for (const deleted of [id, reply])
      expectError(await place.home.reader.get(`/comments/${deleted}`), 404, 'not_found')
    expect(await list('')).to.deep.equal([stays])
    expectFaults(await place.home.editor.post('/comments', on(story)), 'parent_uuid')
  })

  // docs/behaviour/content.md#comments-count
  it('are counted by their content at once, published ones only, with their replies', async () => {
    const { editor, visitor } = place.home
    const other = await published('article', { title: 'Other' })
    expect(await count(story)).to.equal(0)
    const id = await post(on(story))
    const draft = await post(to(id, { state: 'draft' }))
    await post(on(other))
    await post(on(other))
    expect(await count(story)).to.equal(1)
    expectOk(await editor.patch(`/comments/${draft}`, { state: 'published' }))
    expect(await count(story)).to.equal(2)
    expect(rowsOf(await visitor.get('/content?fields=comments_count-title&order=title'))).to.deep.equal([
      [2, 'A story'],
      [2, 'Other'],
    ])
    expectOk(await editor.patch(`/comments/${id}`, { state: 'draft' }))
    expectOk(await editor.delete(`/comments/${draft}`))
    expect(await count(story)).to.equal(0)
    expectOk(await editor.put(`/content/${story}`, expectOk(await editor.get(`/content/${story}`)).object))
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
