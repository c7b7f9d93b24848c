/**
 * docs/behaviour/tags.md#tag-cloud: counts of live objects, filters, weights, at once and with the clock, on every
 * store.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { objectWriter } from '../harness/object-writer.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('tag cloud', {}, (place) => {
  const { published, location } = objectWriter(place)
  const tag = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: name,
        urlname: name.toLowerCase().replace('ä', 'ae'),
        ...more,
      }),
    )
  const attach = async (tagId: string, id: string, predicate = 'describes') =>
    expectOk(await place.home.editor.put(`/tags/${tagId}/${predicate}/${id}`, {}))
  const cloud = async (query = '', api = place.home.visitor) =>
    objectsOf(await api.get(`/tag_cloud${query}`)).map(({ title, count }) => [title, count])

  it('returns uuid, url, title, urlname, count and weight, ordered by count, then title', async () => {
    const ids = [await tag('b'), await tag('Ä'), await tag('C'), await tag('unused')]
    const [b = '', a = '', c = ''] = ids
    for (const each of [b, a, c]) await attach(each, await published())
    for (let index = 0; index < 3; index += 1) await attach(c, await location())
    const row = (uuid: string, title: string, count: number) => ({
      uuid,
      url: `${place.home.url}/tags/${uuid}`,
      title,
      urlname: title.toLowerCase(),
      count,
      weight: count / 4,
    })
    expect(objectsOf(await place.home.reader.get('/tag_cloud'))).to.deep.equal([
      row(c, 'C', 4),
      { ...row(a, 'Ä', 1), urlname: 'ae' },
      row(b, 'b', 1),
    ])
  }).timeout(20_000)

  it('counts live content and locations, an object once whatever its predicates, and no files', async () => {
    const jazz = await tag('Jazz')
    const both = await published()
    await attach(jazz, both)
    await attach(jazz, both, 'authored')
    await attach(jazz, await published('article', { state: 'draft' }))
    await attach(jazz, await location({ state: 'draft' }))
    await attach(jazz, await location())
    await attach(jazz, (await storeImage(place.home.editor)).id)
    for (const api of [place.home.visitor, place.home.admin])
      expect(await cloud('', api)).to.deep.equal([['Jazz', 2]])
  })

  it('contains approved tags only, for every role', async () => {
    const id = await published()
    for (const state of ['approved', 'provisional', 'internal']) await attach(await tag(state, { state }), id)
    for (const api of [place.home.visitor, place.home.admin])
      expect(await cloud('', api)).to.deep.equal([['approved', 1]])
  })

  it('combines predicate, ctypes, category and limit', async () => {
    const [jazz, ann, art] = [await tag('Jazz'), await tag('Ann'), await tag('Art')]
    const category = uuidOf(await place.home.editor.post('/tags/categories', { title: 'x' }))
    expectOk(
      await place.home.editor.put(`/tags/categories/${category}/tags`, {
        items: [{ tag_uuid: jazz }, { tag_uuid: art }],
      }),
    )
    const [article, event] = [await published(), await published('event')]
    const album = await published('review_album')
    for (const id of [article, event, album, await location()]) await attach(jazz, id)
    for (const id of [article, album]) await attach(ann, id, 'authored')
    await attach(art, album)
    expect(await cloud()).to.deep.equal([
      ['Jazz', 4],
      ['Ann', 2],
      ['Art', 1],
    ])
    expect(await cloud('?predicate=authored')).to.deep.equal([['Ann', 2]])
    expect(await cloud('?predicate=describes')).to.deep.equal([
      ['Jazz', 4],
      ['Art', 1],
    ])
    expect(await cloud('?ctypes=articles')).to.deep.equal([
      ['Ann', 1],
      ['Jazz', 1],
    ])
    expect(await cloud('?ctypes=reviews')).to.deep.equal([
      ['Ann', 1],
      ['Art', 1],
      ['Jazz', 1],
    ])
    expect(await cloud('?ctypes=articles-events')).to.deep.equal([
      ['Jazz', 2],
      ['Ann', 1],
    ])
    expect(await cloud('?ctypes=recipes')).to.deep.equal([])
    expect(await cloud(`?category=${category}`)).to.deep.equal([
      ['Jazz', 4],
      ['Art', 1],
    ])
    expect(
      await cloud(`?category=${category}&ctypes=reviews_album,events&predicate=describes`),
    ).to.deep.equal([
      ['Jazz', 2],
      ['Art', 1],
    ])
    expect(await cloud('?limit=1')).to.deep.equal([['Jazz', 4]])
    expect(await cloud(`?limit=2&category=${category}&ctypes=reviews`)).to.deep.equal([
      ['Art', 1],
      ['Jazz', 1],
    ])
    const weights = objectsOf(await place.home.reader.get('/tag_cloud?predicate=authored')).map(
      ({ weight }) => weight,
    )
    expect(weights).to.deep.equal([1])
  })

  it('limits rows to 50 by default and 500 at most, and reports a category that does not exist', async () => {
    const { editor, reader } = place.home
    const id = await published()
    for (let index = 0; index < 51; index += 1)
      await attach(await tag(`t${String(index).padStart(2, '0')}`), id)
    expect(await cloud()).to.have.lengthOf(50)
    expect((await cloud('?limit=500')).map(([title]) => title).at(-1)).to.equal('t50')
    expectFaults(
      await reader.get('/tag_cloud?limit=501&predicate=x&ctypes=x&category=x'),
      'limit',
      'predicate',
      'ctypes',
      'category',
    )
    expectFaults(await reader.get(`/tag_cloud?category=${randomUUID()}`), 'category')
    const category = uuidOf(await editor.post('/tags/categories', { title: 'x' }))
    expect(await cloud(`?category=${category}`)).to.deep.equal([])
  }).timeout(20_000)

  it('follows every write at once', async () => {
    const { editor } = place.home
    const [jazz, id] = [await tag('Jazz'), await published()]
    const step = async (write: () => Promise<unknown>, rows: readonly (readonly unknown[])[]) => {
      await cloud()
      await write()
      expect(await cloud()).to.deep.equal(rows)
      expect(await cloud('', place.home.admin)).to.deep.equal(rows)
    }
    await step(() => attach(jazz, id), [['Jazz', 1]])
    await step(
      async () => expectOk(await editor.patch(`/tags/${jazz}`, { last_name_or_title: 'Bebop' })),
      [['Bebop', 1]],
    )
    await step(async () => expectOk(await editor.patch(`/tags/${jazz}`, { state: 'internal' })), [])
    await step(
      async () => expectOk(await editor.patch(`/tags/${jazz}`, { state: 'approved' })),
      [['Bebop', 1]],
    )
    await step(async () => expectOk(await editor.patch(`/content/${id}`, { state: 'draft' })), [])
    await step(
      async () => expectOk(await editor.patch(`/content/${id}`, { state: 'published' })),
      [['Bebop', 1]],
    )
    await step(async () => expectOk(await editor.delete(`/tags/${jazz}/describes/${id}`)), [])
    await step(() => attach(jazz, id), [['Bebop', 1]])
    await step(async () => expectOk(await editor.delete(`/content/${id}`)), [])
    const other = await published()
    await step(() => attach(jazz, other), [['Bebop', 1]])
    await step(async () => expectOk(await editor.delete(`/tags/${jazz}`)), [])
  })

  it('counts content from its issue date on, within a second of the clock', async () => {
    const jazz = await tag('Jazz')
    await attach(jazz, await published('article', { issued: '2026-03-01T13:00:10' }))
    await attach(jazz, await published())
    for (const [seconds, count] of [
      [0, 1],
      [9, 1],
      [1, 2],
    ] as const) {
      place.service.clock.advance(seconds * 1000)
      for (const query of ['', '?predicate=describes', '?ctypes=articles'])
        for (const api of [place.home.visitor, place.home.admin]) {
          expect(await cloud(query, api)).to.deep.equal([['Jazz', count]])
          expect(objectsOf(await api.get(`/tag_cloud${query}`, fresh))[0]?.['count']).to.equal(count)
        }
    }
  })
})
