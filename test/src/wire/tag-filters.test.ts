/** The filters tags, tags_any, tags_none and predicate (docs/behaviour/collections.md#tags-filter). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('filters by tag', {}, (place) => {
  const tag = async (): Promise<string> =>
    uuidOf(await place.home.editor.post('/tags', { last_name_or_title: 'x', urlname: randomUUID() }))
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.editor.post(`/${collection}`, { title: 'x', urlname: randomUUID(), ...body }))
  const article = (body: JsonObject = {}) =>
    write('content', { content_type: 'article', state: 'published', ...body })
  const attach = async (id: string, ...tags: readonly (readonly [tag: string, predicate?: string])[]) => {
    for (const [each, predicate = 'describes'] of tags)
      expectOk(await place.home.editor.put(`/tags/${each}/${predicate}/${id}`, {}))
  }
  const found = async (query: string, client = place.home.reader) =>
    columnOf(await client.get(`${query}&fields=uuid`, fresh))

  it('find nothing by a deleted tag', async () => {
    const [jazz, brass] = [await tag(), await tag()]
    const [first, second] = [await article(), await article()]
    await attach(first, [jazz])
    await attach(second, [brass])
    expectOk(await place.home.editor.delete(`/tags/${jazz}`))
    expect(await found(`/content?tags=${jazz}`)).to.deep.equal([])
    expect(await found(`/content?tags_any=${jazz}_${brass}`)).to.deep.equal([second])
  })
})
