/** Drafts of objects (docs/behaviour/drafts.md), on every store. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('drafts', {}, (place) => {
  const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
    content_type: 'article',
    title: 'One',
    urlname,
    state: 'published',
    ...more,
  })
  const create = async (body: JsonObject): Promise<string> =>
    `/content/${uuidOf(await place.home.editor.post('/content', body))}`
  const read = async (path: string): Promise<JsonObject> =>
    expectOk(await place.home.editor.get(path, fresh)).object
  const titleFor = async (path: string): Promise<Json> =>
    expectOk(await place.home.visitor.get(path)).object['title'] ?? null

  it('a draft is hidden from readers until it is published', async () => {
    const { editor, reader, visitor } = place.home
    const path = await create(article('a-draft'))
    const before = expectOk(await visitor.get(path))
    expectError(await editor.get(`${path}/draft`), 404, 'not_found')
    expectOk(await editor.patch(`${path}/draft`, { title: 'Two' }))
    expect(await read(path)).to.include({ title: 'One', has_draft: true })
    expect((await visitor.get(path, fresh)).text).to.equal(before.text)
    expect((await reader.get(path, fresh)).object).not.to.have.property('has_draft')
    expectError(await reader.get(`${path}/draft`), 403, 'forbidden')
    const draft = expectOk(await editor.get(`${path}/draft`))
    expect(draft.headers['cache-control']).to.equal('no-store')
    expect(draft.object).to.include({ title: 'Two', based_on: 1 })
    const tagged = (tag: string) => ({ Prefer: 'handling=strict', 'If-Match': tag })
    expectError(await editor.put(`${path}/draft`, draft.body, tagged('"x"')), 412, 'precondition_failed')
    expectOk(await editor.put(`${path}/draft`, draft.body, tagged(String(draft.headers['etag']))))
    expect(expectOk(await editor.get(`${path}/draft`)).text).to.equal(draft.text)
    expect(uuidOf(await editor.post(`${path}/draft/publish`, {}))).to.equal(path.split('/').at(-1))
    expect(await titleFor(path)).to.equal('Two')
    expectError(await editor.delete(`${path}/draft`), 404, 'not_found')
    expect(objectsOf(await editor.get(`${path}/versions`))[0]).to.include({
      version: 2,
      operation: 'publishDraft',
    })
  })

  it('a draft of what was changed meanwhile is published after its confirmation', async () => {
    const { admin, editor } = place.home
    const path = await create(article('a-conflict'))
    expectOk(await editor.patch(`${path}/draft`, { title: 'Two', kicker: 'K' }))
    expectOk(await admin.patch(path, { title: 'Other', sub_title: 'S' }))
    const refused = expectError(await editor.post(`${path}/draft/publish`, {}), 412, 'draft_conflict')
    expect(refused.object['error_info']).to.have.all.keys('title')
    expectFaults(await editor.patch(`${path}/draft`, { based_on: 3 }), 'based_on')
    const [newest] = objectsOf(await editor.get(`${path}/versions`))
    expectOk(await editor.patch(`${path}/draft`, { based_on: newest?.['version'] ?? null }))
    const publish = (tag: string | undefined) =>
      editor.send('POST', `${path}/draft/publish`, { headers: { 'If-Match': tag ?? '' } })
    expectError(await publish('"x"'), 412, 'precondition_failed')
    expectOk(await publish(String((await editor.get(path, fresh)).headers['etag'])))
    expect(await read(path)).to.include({ title: 'Two', kicker: 'K', sub_title: 'S', has_draft: false })
  })

  it('a draft has slots with media, related links and tags, which its preview shows', async () => {
    const { anonymous, editor, visitor } = place.home
    const path = await create(article('with-parts'))
    const slot = randomUUID()
    expectOk(await editor.patch(`${path}/draft`, { content: `<p>A body.</p><slot id="${slot}"/>` }))
    const written = expectOk(await editor.put(`${path}/draft/slots/${slot}`, { relevance: 'aside' }))
    expect(String(written.object['url'])).to.match(/\/draft\/slots\/[^/]+$/)
    const medium = { type: 'embed', embed_code: '<b/>' }
    expectOk(await editor.put(`${path}/draft/slots/${slot}/media`, { items: [medium, medium] }))
    expectOk(await editor.post(`${path}/draft/slots/${slot}/media`, medium))
    expectOk(
      await editor.post(`${path}/draft/related_links`, { type: 'url', link_url: 'https://example.org/' }),
    )
    expect(objectsOf(await editor.get(`${path}/draft/slots/${slot}/media`))).to.have.lengthOf(3)
    expect(objectsOf(await editor.get(`${path}/related_links`, fresh))).to.deep.equal([])
    expectError(await visitor.get(`${path}/draft/slots`), 403, 'forbidden')
    const label = { last_name_or_title: 'A tag', urlname: 'a-tag', type: 'default', state: 'approved' }
    const tag = uuidOf(await editor.post('/tags', label))
    const tagging = `${path}/draft/tags/describes/${tag}`
    expect(expectOk(await editor.put(tagging, {})).object['url']).to.match(new RegExp(`${tagging}$`))
    expect(expectOk(await editor.get(tagging)).object).to.include({ tag_uuid: tag })
    expect(objectsOf(await editor.get(`${path}/draft/tags`))).to.have.lengthOf(1)
    expect(objectsOf(await visitor.get(`${path}/tags`, fresh))).to.deep.equal([])
    const { token } = expectOk(await editor.post(`${path}/preview`, {})).object
    const preview = { ...fresh, Authorization: `Bearer ${String(token)}` }
    expect(objectsOf(await anonymous.get(`${path}/tags`, preview))[0]).to.include({ uuid: tag })
    expectOk(await editor.post(`${path}/draft/publish`, {}))
    expect(objectsOf(await visitor.get(`${path}/tags`, fresh))[0]).to.include({ uuid: tag })
    expect(objectsOf(await visitor.get(`${path}/slots`, fresh))).to.have.lengthOf(1)
    expect(objectsOf(await visitor.get(`${path}/slots/${slot}/media`, fresh))).to.have.lengthOf(3)
    expect(objectsOf(await visitor.get(`${path}/related_links`, fresh))).to.have.lengthOf(1)
  })

  it('a draft with the urlname of another object is not published', async () => {
    const { editor } = place.home
    const path = await create(article('a-name'))
    expectOk(await editor.patch(`${path}/draft`, { urlname: 'another-name' }))
    const other = await create(article('another-name'))
    expectFaults(await editor.post(`${path}/draft/publish`, {}), 'urlname')
    expectFaults(
      await editor.patch(`${path}/draft`, { urlname: 'another-name', title: '' }),
      'title',
      'urlname',
    )
    expectOk(await editor.delete(other))
    expectOk(await editor.post(`${path}/draft/publish`, {}))
    expect(await read(path)).to.include({ urlname: 'another-name' })
  })

  it('a preview shows the draft to its token alone', async () => {
    const { admin, anonymous, editor, visitor } = place.home
    expectOk(await admin.patch('/settings', { preview_url: 'https://www.example.org{path}?preview={token}' }))
    const path = await create(article('a-preview', { state: 'draft' }))
    const published = await create(article('a-published-preview'))
    const slot = randomUUID()
    const content = `<slot id="${slot}"/>`
    for (const each of [path, published]) {
      expectOk(await editor.patch(`${each}/draft`, { title: 'Two', content }))
      const { object } = expectOk(await editor.post(`${each}/preview`, { expires_in: 3600 }))
      const { token = '', url, expires } = object
      expect(url).to.match(/^https:\/\/www\.example\.org\/a-[\w-]*preview\/\?preview=preview\.[\w-]+$/)
      expect(expires).to.equal('2026-03-01T13:00:00.000Z')
      const headers = { Authorization: `Bearer ${String(token)}` }
      const get = (below: string) => anonymous.get(below, headers)
      // Twice, because the first response could be cached.
      for (let count = 0; count < 2; count += 1) {
        const shown = expectOk(await get(each))
        expect(shown.object).to.include({ title: 'Two' })
        expect(shown.headers['cache-control']).to.equal('no-store')
        expect((await visitor.get(published)).object).to.include({ title: 'One' })
        expectError(await visitor.get(path), 404, 'not_found')
        expect(objectsOf(await get(`${each}/slots`))).to.have.lengthOf(1)
      }
      const resolved = expectOk(
        await get(`/resolve?path=${each === path ? '/a-preview/' : '/a-published-preview/'}`),
      )
      expect(resolved.object).to.include({ uuid: each.split('/').at(-1) })
      expectError(await get(`${each}/draft`), 403, 'forbidden')
      expectError(await anonymous.send('PATCH', each, { body: '{}', headers }), 403, 'forbidden')
      expectError(await createApi(place.service.url, String(token)).get('/me'), 403, 'forbidden')
      expectFaults(await editor.post(`${each}/preview`, { expires_in: 60 }), 'expires_in')
      expectOk(await editor.delete(`${each}/preview`))
      place.service.clock.advance(5000)
      expectError(await get(each), 401, 'invalid_token')
      place.service.clock.advance(-5000)
    }
  })

  it('another instance has none of it', async () => {
    const path = await create(article('of-one-instance'))
    expectOk(await place.home.editor.patch(`${path}/draft`, { title: 'Two' }))
    const other = await createPublication(place.service)
    for (const method of ['GET', 'DELETE'])
      expectError(await other.editor.send(method, `${path}/draft`), 404, 'not_found')
  })
})
