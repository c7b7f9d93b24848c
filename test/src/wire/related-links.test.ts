/** Related links of content (docs/behaviour/comments-and-links.md#related-links), on every store. */
import { expect } from 'chai'
import { beforeEach, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { maxRelatedLinks } from '@publishing-service/domain/content'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { objectWriter } from '../harness/object-writer.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('related links', {}, (place) => {
  const { published, location } = objectWriter(place)
  let path: string

  const links = async (api: Api = place.home.reader, query = ''): Promise<readonly JsonObject[]> =>
    objectsOf(await api.get(`${path}${query}`))
  const targets = async (api?: Api, query?: string) =>
    (await links(api, query)).map(({ uuid = null }) => uuid)

  beforeEach(async () => {
    path = `/content/${await published()}/related_links`
  })

  it('are an ordered list of addresses, content and locations', async () => {
    const { editor } = place.home
    const [story, venue] = [await published(), await location()]
    expect(await links()).to.deep.equal([])
    expectOk(
      await editor.put(path, {
        items: [
          { type: 'location', target_uuid: venue },
          { type: 'url', link_url: 'www.example.org/x', text: 'There' },
          { type: 'content', target_uuid: story.toUpperCase() },
          { type: 'url', link_url: 'https://example.org/' },
        ],
      }),
    )
    expect(await links()).to.deep.equal([
      { type: 'location', ord: 1, uuid: venue, url: `${place.home.url}/locations/${venue}` },
      { type: 'url', ord: 2, text: 'There', link_url: 'https://www.example.org/x' },
      { type: 'content', ord: 3, uuid: story, url: `${place.home.url}/content/${story}` },
      { type: 'url', ord: 4, text: null, link_url: 'https://example.org/' },
    ])
  })

  it('accept the list that they return, in any order, and one more by POST', async () => {
    const { editor } = place.home
    const story = await published()
    const added = expectOk(await editor.post(path, { type: 'content', target_uuid: story })).object
    expect(added).to.deep.equal({
      msg: 'related link added',
      url: `${place.home.url}/content/${path.split('/')[2] ?? ''}`,
      uuid: path.split('/')[2] ?? '',
    })
    expectOk(await editor.post(path, { type: 'url', link_url: 'https://example.org/', text: 'x' }))
    const read = expectOk(await editor.get(path, fresh))
    for (const headers of [{}, { Prefer: 'handling=strict' }, { 'If-Match': read.headers.etag }]) {
      expectOk(await editor.put(path, read.body, headers))
      expect(expectOk(await editor.get(path, fresh)).text).to.equal(read.text)
    }
    const reversed = objectsOf(read).toReversed()
    expectOk(await editor.put(path, { items: reversed }))
    expect((await links()).map(({ type, ord }) => [type, ord])).to.deep.equal([
      ['url', 1],
      ['content', 2],
    ])
    expectError(
      await editor.put(path, read.body, { 'If-Match': read.headers.etag }),
      412,
      'precondition_failed',
    )
    expectOk(await editor.put(path, { items: [] }))
    expect(await links()).to.deep.equal([])
  })

  it('name objects of this instance, of the declared kind', async () => {
    const { editor } = place.home
    const [story, venue] = [await published(), await location()]
    const elsewhere = await createPublication(place.service)
    const stranger = uuidOf(
      await elsewhere.editor.post('/content', { content_type: 'article', title: 'x', urlname: 'x' }),
    )
    const wrong: readonly JsonObject[] = [
      { type: 'content', target_uuid: venue },
      { type: 'location', target_uuid: story },
      { type: 'content', target_uuid: stranger },
      { type: 'content', target_uuid: randomUUID() },
    ]
    for (const item of wrong) expectFaults(await editor.post(path, item), 'target_uuid')
    expectFaults(
      await editor.put(path, { items: wrong }),
      ...wrong.map((_item, index) => `items.${index}.target_uuid`),
    )
    expectFaults(await editor.post(path, { type: 'url', text: 'x' }), 'link_url')
    expectFaults(await editor.post(path, { type: 'video' }), 'type')
    expect(await links()).to.deep.equal([])
    expectError(await place.home.visitor.post(path, {}), 403, 'forbidden')
    expectError(await editor.get(`/content/${randomUUID()}/related_links`), 404, 'not_found')
  })

  it(`are ${maxRelatedLinks} at most, without those whose object is deleted`, async () => {
    const { editor } = place.home
    const link = { type: 'url', link_url: 'https://example.org/' }
    const story = await published()
    const full = [
      { type: 'content', target_uuid: story },
      ...Array.from({ length: maxRelatedLinks - 1 }, () => link),
    ]
    expectFaults(await editor.put(path, { items: [...full, link] }), 'items')
    expectOk(await editor.put(path, { items: full }))
    expectFaults(await editor.post(path, link), 'items')
    expectOk(await editor.delete(`/content/${story}`))
    expectOk(await editor.post(path, link))
    expect(await links()).to.have.lengthOf(maxRelatedLinks)
    expectFaults(await editor.post(path, link), 'items')
  })

  // docs/behaviour/comments-and-links.md#visible-links
  it('are filtered by the state of their objects, live ones for a public_user', async () => {
    const { editor, visitor, reader } = place.home
    const live = await published()
    const draft = await published('article', { state: 'draft' })
    const later = await published('article', { issued: '2026-03-01T13:00:10' })
    const venue = await location({ state: 'draft' })
    expectOk(
      await editor.put(path, {
        items: [
          ...[draft, live, later].map((target_uuid) => ({ type: 'content', target_uuid })),
          { type: 'location', target_uuid: venue },
          { type: 'url', link_url: 'https://example.org/' },
        ],
      }),
    )
    expect(await targets()).to.deep.equal([draft, live, later, venue, null])
    expect(await targets(reader, '?state=draft')).to.deep.equal([draft, venue, null])
    expect(await targets(reader, '?state=published')).to.deep.equal([live, later, null])
    expect(await targets(reader, '?state=live')).to.deep.equal([live, null])
    for (const query of ['', '?state=live']) expect(await targets(visitor, query)).to.deep.equal([live, null])
    expectFaults(await visitor.get(`${path}?state=draft`), 'state')
    expectFaults(await reader.get(`${path}?state=x`), 'state')
    place.service.clock.advance(20_000)
    expect(await targets(visitor)).to.deep.equal([live, later, null])
    expect(await targets(reader, '?state=live')).to.deep.equal([live, later, null])
    expectOk(await editor.patch(`/locations/${venue}`, { state: 'published' }))
    expect(await targets(visitor)).to.deep.equal([live, later, venue, null])
  })

  it('do not list those whose object is deleted', async () => {
    const { editor, visitor } = place.home
    const [story, venue] = [await published(), await location()]
    const items = [
      { type: 'content', target_uuid: story },
      { type: 'location', target_uuid: venue },
    ]
    expectOk(await editor.put(path, { items }))
    expectOk(await editor.delete(`/content/${story}`))
    expect((await links()).map(({ uuid = null, ord }) => [uuid, ord])).to.deep.equal([[venue, 1]])
    expectOk(await editor.delete(`/locations/${venue}`))
    for (const api of [editor, visitor]) expect(await links(api)).to.deep.equal([])
  })

  it('of a draft are written by the contributor who created it, and hidden from public_user', async () => {
    const { contributor } = place.home.as
    const link = { type: 'url', link_url: 'https://example.org/' }
    expectError(await contributor.post(path, link), 403, 'forbidden')
    const own = uuidOf(
      await contributor.post('/content', { content_type: 'article', title: 'x', urlname: 'own' }),
    )
    path = `/content/${own}/related_links`
    expectOk(await contributor.post(path, link))
    expect(await links()).to.have.lengthOf(1)
    expectError(await place.home.visitor.get(path), 404, 'not_found')
  })
})
