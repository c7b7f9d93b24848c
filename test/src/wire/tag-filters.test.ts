/** The filters tags, tags_any, tags_none and predicate (docs/behaviour/collections.md#tags-filter). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
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

  it('select content by all or any of its tags, and by predicate', async () => {
    const [jazz, brass] = [await tag(), await tag()]
    const [both, one, other] = [
      await article({ title: 'b' }),
      await article({ title: 'a' }),
      await article({ title: 'c' }),
    ]
    await article()
    await attach(both, [jazz], [brass, 'authored'])
    await attach(one, [jazz, 'authored'])
    await attach(other, [brass])
    const content = (query: string) => found(`/content?order=title&${query}`)
    expect(await content(`tags=${jazz}`)).to.deep.equal([one, both])
    expect(await content(`tags=${jazz}_${brass}`)).to.deep.equal([both])
    expect(await content(`tags_any=${jazz}_${brass}`)).to.deep.equal([one, both, other])
    expect(await content(`tags=${jazz}&predicate=describes`)).to.deep.equal([both])
    expect(await content(`tags_any=${jazz}_${brass}&predicate=authored`)).to.deep.equal([one, both])
    expect(await content(`tags=${jazz}&ctypes=recipes`)).to.deep.equal([])
    expect(await content(`tags_any=${jazz}_${brass}&rpp=1&page=2`)).to.deep.equal([both])
    expect(await content(`tags=${randomUUID()}`)).to.deep.equal([])
  })

  it('select what has none of some tags, on full pages', async () => {
    const [jazz, brass, kept] = [await tag(), await tag(), await tag()]
    const ids: string[] = []
    for (let index = 0; index < 6; index += 1) {
      const id = await article({ title: `t${index}` })
      ids.push(id)
      await attach(id, [kept], ...(index % 2 === 0 ? [[jazz] as const] : []))
    }
    await attach(ids[1] ?? '', [brass, 'authored'])
    const content = (query: string, client = place.home.reader) =>
      found(`/content?order=title&tags=${kept}&${query}`, client)
    const at = (...indexes: readonly number[]) => indexes.map((index) => ids[index])
    expect(await content(`tags_none=${jazz}&rpp=2`)).to.deep.equal(at(1, 3))
    expect(await content(`tags_none=${jazz}&rpp=2&page=2`)).to.deep.equal(at(5))
    expect(await content(`tags_none=${jazz}_${brass}`)).to.deep.equal(at(3, 5))
    expect(
      await found(
        `/content?order=title&tags_any=${kept}_${kept}&tags_none=${brass}_${jazz}&predicate=describes`,
      ),
    ).to.deep.equal(at(1, 3, 5))
    const hidden = uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: 'x',
        urlname: randomUUID(),
        state: 'internal',
      }),
    )
    await attach(ids[3] ?? '', [hidden])
    expect(await content(`tags_none=${jazz}_${hidden}`)).to.deep.equal(at(1, 5))
    expect(await content(`tags_none=${jazz}_${hidden}`, place.home.visitor)).to.deep.equal(at(1, 3, 5))
    expect(await found(`/tags/${kept}/describes?tags_none=${jazz}&order=title`)).to.deep.equal(at(1, 3, 5))
  })

  it('select events, locations and files', async () => {
    const jazz = await tag()
    const event = await write('content', { content_type: 'event', dtstart: '2026-04-01' })
    await write('content', { content_type: 'event', dtstart: '2026-04-01' })
    const location = await write('locations', {})
    await write('locations', {})
    const { id: file } = await storeImage(place.home.editor)
    await storeImage(place.home.editor)
    for (const id of [event, location, file]) await attach(id, [jazz])
    expect(await found(`/events?tags=${jazz}`)).to.deep.equal([event])
    expect(await found(`/locations?tags=${jazz}&predicate=describes`)).to.deep.equal([location])
    expect(await found(`/files?tags_any=${jazz}`)).to.deep.equal([file])
    expect(await found(`/files?tags_any=${jazz}&predicate=photographed`)).to.deep.equal([])
  })

  it('show a public_user only what is live', async () => {
    const jazz = await tag()
    const [live, draft, future] = [
      await article(),
      await article({ state: 'draft' }),
      await article({ issued: '2027-01-01' }),
    ]
    for (const id of [live, draft, future]) await attach(id, [jazz])
    expect(await found(`/content?tags=${jazz}`, place.home.visitor)).to.deep.equal([live])
    expect(await found(`/content?tags=${jazz}`)).to.have.members([live, draft, future])
  })

  it('find nothing by a deleted tag', async () => {
    const [jazz, brass] = [await tag(), await tag()]
    const [first, second] = [await article(), await article()]
    await attach(first, [jazz])
    await attach(second, [brass])
    expectOk(await place.home.editor.delete(`/tags/${jazz}`))
    expect(await found(`/content?tags=${jazz}`)).to.deep.equal([])
    expect(await found(`/content?tags_any=${jazz}_${brass}`)).to.deep.equal([second])
  })

  it('have faults for unknown predicates, and for a predicate without tags', async () => {
    const { reader } = place.home
    expectFaults(await reader.get(`/content?tags=x&predicate=likes`), 'tags', 'predicate')
    expectFaults(await reader.get(`/content?predicate=describes`), 'predicate')
    expectFaults(await reader.get(`/files?tags=${randomUUID()}&predicate=authored`), 'predicate')
  })
})
