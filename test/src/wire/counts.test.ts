/** Totals and facets of lists (docs/behaviour/collections.md#total, docs/behaviour/collections.md#facets). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, infoOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('counts of lists', {}, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.admin.post(`/${collection}`, { title: 'x', urlname: randomUUID(), ...body }))
  const article = (body: JsonObject = {}) =>
    write('content', { content_type: 'article', state: 'published', ...body })
  const tag = async (name: string, state = 'approved'): Promise<string> =>
    uuidOf(await place.home.editor.post('/tags', { last_name_or_title: name, urlname: randomUUID(), state }))
  const attach = async (id: string, ...tags: readonly string[]) => {
    for (const each of tags) expectOk(await place.home.editor.put(`/tags/${each}/describes/${id}`, {}))
  }
  const read = async (path: string, client = place.home.reader): Promise<JsonObject> =>
    expectOk(await client.get(path, fresh)).object
  const total = async (path: string, client = place.home.reader): Promise<Json | undefined> =>
    (await read(`${path}${path.includes('?') ? '&' : '?'}total=true`, client))['total']
  const exactly = (count: number) => ({ count, exact: true })
  /** The values of a facet with their counts. */
  const facet = async (path: string, name: string, client = place.home.reader) => {
    const { facets } = await read(`${path}${path.includes('?') ? '&' : '?'}facets=${name}`, client)
    return (facets as Readonly<Record<string, readonly JsonObject[]>>)[name]
  }

  it('are the number of objects on all pages, as the role sees them', async () => {
    const [first] = [
      await article(),
      await article({ state: 'draft' }),
      await article({ issued: '2027-01-01' }),
    ]
    await article({ content_type: 'recipe' })
    const page = await read('/content?rpp=1&page=2&total=true&ctypes=articles')
    expect(page['items']).to.have.lengthOf(1)
    expect(page['total']).to.deep.equal(exactly(3))
    expect(String(page['next'])).to.include('total=true')
    expect(await total('/content')).to.deep.equal(exactly(4))
    expect(await total('/content?page=50')).to.deep.equal(exactly(4))
    expect(await total('/content', place.home.visitor)).to.deep.equal(exactly(2))
    expect(await total(`/content?not_uuid=${first}`)).to.deep.equal(exactly(3))
    expect(await total(`/content?uuid=${first}_${randomUUID()}`)).to.deep.equal(exactly(1))
    expect(await total('/content?ctypes=events')).to.deep.equal(exactly(0))
    expect(await read('/content?total=false')).to.not.have.any.keys('total', 'facets')
  })

  it('count what stores cannot evaluate', async () => {
    await write('locations', { coords: [48.2, 16.37], price_index: 'free' })
    await write('locations', { coords: [48.201, 16.371], price_index: 'very_expensive', state: 'draft' })
    await write('locations', { coords: [48.215, 16.39], price_index: 'very_expensive' })
    await write('locations', { coords: [48.3, 16.37] })
    for (const order of ['', '&order=title', '&order=distance'])
      expect(await total(`/locations?near=48.2,16.37,2${order}`)).to.deep.equal(exactly(2))
    expect(await total('/locations?near=48.2,16.37,1000')).to.deep.equal(exactly(4))
    expect(await facet('/locations?near=48.2,16.37,5', 'price_index')).to.deep.equal([
      { value: 'Very expensive', count: 2 },
      { value: 'Free', count: 1 },
    ])
    expect(await facet('/locations', 'price_index', place.home.visitor)).to.deep.equal([
      { value: 'Free', count: 1 },
      { value: 'Very expensive', count: 1 },
    ])
    const story = await article()
    const comment = (state: string) =>
      place.home.admin.post('/comments', { parent_type: 'content', parent_uuid: story, comment: 'x', state })
    expectOk(await comment('published'))
    expectOk(await comment('draft'))
    expect(await total('/comments', place.home.visitor)).to.deep.equal(exactly(1))
    expect(await total('/comments')).to.deep.equal(exactly(2))
  })

  it('have tags and sections with their titles, the most frequent first', async () => {
    const [jazz, brass, rare] = [await tag('Jazz'), await tag('Brass'), await tag('Rare')]
    const [secret, gone] = [await tag('Secret', 'internal'), await tag('Gone')]
    const section = await write('sections', { title: 'Music' })
    const ids = []
    for (let index = 0; index < 3; index += 1)
      ids.push(await article({ ...(index < 2 ? { section_uuid: section } : {}), title: `t${index}` }))
    const [first = '', second = '', third = ''] = ids
    await attach(first, jazz, secret, gone)
    await attach(second, jazz, brass, secret)
    await attach(third, brass, secret, rare)
    const draft = await article({ state: 'draft', section_uuid: section, content_type: 'recipe' })
    await attach(draft, jazz)
    expectOk(await place.home.editor.delete(`/tags/${gone}`))
    const value = (id: string, title: string, count: number) => ({ value: id, title, count })
    const tied = (...values: readonly ReturnType<typeof value>[]) =>
      values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    expect(await facet('/content', 'tags')).to.deep.equal(
      tied(
        value(jazz, 'Jazz', 3),
        value(secret, 'Secret', 3),
        value(brass, 'Brass', 2),
        value(rare, 'Rare', 1),
      ),
    )
    expect(await facet('/content', 'tags', place.home.visitor)).to.deep.equal(
      tied(value(jazz, 'Jazz', 2), value(brass, 'Brass', 2), value(rare, 'Rare', 1)),
    )
    expect(await facet('/content', 'section')).to.deep.equal([value(section, 'Music', 3)])
    const filtered = await read(`/content?tags=${jazz}&rpp=1&facets=section,content_type-section&total=true`)
    expect(filtered['total']).to.deep.equal(exactly(3))
    expect(filtered['facets']).to.deep.equal({
      section: [value(section, 'Music', 3)],
      content_type: [
        { value: 'article', count: 2 },
        { value: 'recipe', count: 1 },
      ],
    })
    expect(await facet(`/content?tags_none=${jazz}`, 'tags')).to.deep.equal(
      tied(value(brass, 'Brass', 1), value(rare, 'Rare', 1), value(secret, 'Secret', 1)),
    )
    expect(await facet(`/content?sections=${section}&subtree=true&not_uuid=${draft}`, 'tags')).to.deep.equal(
      tied(value(jazz, 'Jazz', 2), value(secret, 'Secret', 2), value(brass, 'Brass', 1)),
    )
    expect(await facet(`/content?uuid=${third}`, 'section')).to.deep.equal([])
    const tagged = await read(`/tags/${brass}/describes?facets=tags,content_type&total=true`)
    expect(tagged['total']).to.deep.equal(exactly(2))
    expect(tagged['facets']).to.deep.include({ content_type: [{ value: 'article', count: 2 }] })
  })

  it('count the results of searches', async () => {
    const jazz = await tag('Jazz')
    const [story, event] = [
      await article({ title: 'brass band' }),
      await write('content', { content_type: 'event', title: 'brass night', dtstart: '2026-04-01' }),
    ]
    const location = await write('locations', { title: 'brass bar', price_index: 'moderate' })
    for (const id of [story, event, location]) await attach(id, jazz)
    const searched = await read('/search?q=bras&rpp=1&total=true&facets=tags,content_type,price_index,type')
    expect(searched['total']).to.deep.equal(exactly(3))
    expect(searched['facets']).to.deep.equal({
      tags: [{ value: jazz, title: 'Jazz', count: 3 }],
      content_type: [
        { value: 'article', count: 1 },
        { value: 'event', count: 1 },
      ],
      price_index: [{ value: 'Moderate', count: 1 }],
      type: [
        { value: 'content', count: 2 },
        { value: 'location', count: 1 },
      ],
    })
    expect(await total('/search?q=brass&types=events')).to.deep.equal(exactly(1))
    expect(await facet('/search?q=nothing', 'type')).to.deep.equal([])
    expect(await total('/search?q=brass', place.home.visitor)).to.deep.equal(exactly(2))
    expect(await total('/search')).to.deep.equal(exactly(0))
    expect(await total('/content?q=%22brass%20band%22')).to.deep.equal(exactly(1))
    expect(await facet('/content?q=brass&order=title', 'content_type')).to.have.lengthOf(2)
    expect(rowsOf(await place.home.reader.get('/events?q=brass&facets=section'))).to.have.lengthOf(1)
  })

  it('are totals of occurrences, and of the members of lists', async () => {
    const rrule = { freq: 'DAILY', count: 30 }
    const daily = await write('content', { content_type: 'event', dtstart: '2026-04-01T20:00', rrule })
    const dates = { dtstart: '2026-04-02', dtend: '2026-04-09' }
    await write('content', { content_type: 'event', ...dates })
    const inPeriod = '/events/occurrences?period=2026-04-05_2026-04-10&rpp=2'
    expect(await total(inPeriod)).to.deep.equal(exactly(6))
    expect(await total(`${inPeriod}&events=${daily}`)).to.deep.equal(exactly(5))
    expect(await total('/events/occurrences')).to.deep.equal(exactly(31))
    expect(await total('/events/occurrences?period=2030-01-01_2030-02-01')).to.deep.equal(exactly(0))
    const category = uuidOf(await place.home.editor.post('/tags/categories', { title: 'Music' }))
    const items = [{ tag_uuid: await tag('Jazz') }, { tag_uuid: await tag('Secret', 'internal') }]
    expectOk(await place.home.editor.put(`/tags/categories/${category}/tags`, { items }))
    const members = `/tags/categories/${category}/tags?rpp=1`
    expect(await total(members)).to.deep.equal(exactly(2))
    expect(await total(members, place.home.visitor)).to.deep.equal(exactly(1))
    expect(await total(`/tags/${items[0]?.tag_uuid}/categories`)).to.deep.equal(exactly(1))
  })

  it('have faults that name the facets', async () => {
    const rejected = await place.home.reader.get('/content?facets=tag&total=yes')
    expectFaults(rejected, 'facets', 'total')
    expect(infoOf(rejected)['facets']).to.include('tags, section, content_type')
    const strict = { Prefer: 'handling=strict' }
    expectFaults(await place.home.reader.get('/sections?facets=tags', strict), 'facets')
    expectFaults(await place.home.reader.get('/events/occurrences?facets=tags', strict), 'facets')
  })
})
