/** docs/behaviour/locations.md, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstCategory } from '@publishing-service/domain/tags'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { storeImage } from '../harness/stored-files.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('locations', {}, (place) => {
  const create = async (urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/locations', { title: urlname, urlname, ...more }))
  const read = async (id: string): Promise<JsonObject> =>
    expectOk(await place.home.editor.get(`/locations/${id}`)).object
  const patch = (id: string, body: JsonObject) => place.home.editor.patch(`/locations/${id}`, body)

  it('have a thumb_uuid that names an image of the library, downloaded by thumb_url', async () => {
    const image = await storeImage(place.home.editor)
    const id = await create('a', { thumb_uuid: image.id, thumb_url: 'ignored' })
    expect(await read(id)).to.include({
      thumb_uuid: image.id,
      thumb_url: `${place.home.url}${image.download}`,
    })
    expectFaults(await patch(id, { thumb_uuid: randomUUID() }), 'thumb_uuid')
  })

  // docs/behaviour/locations.md#location-types
  it('return the titles of their tags in the category of location types as location_types', async () => {
    const { editor, visitor } = place.home
    const id = await create('a', { location_types: ['ignored'] })
    const tagged = async (title: string, more: JsonObject = {}): Promise<string> => {
      const tag = uuidOf(
        await editor.post('/tags', { last_name_or_title: title, urlname: randomUUID(), ...more }),
      )
      expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
      return tag
    }
    const [bar, cafe, secret] = [
      await tagged('Bar'),
      await tagged('Cafe'),
      await tagged('X', { state: 'internal' }),
    ]
    await tagged('Not a type')
    const typesFor = async (api = editor) =>
      expectOk(await api.get(`/locations/${id}`)).object['location_types']
    expect(await typesFor()).to.deep.equal([])
    const category = `/tags/categories/${firstCategory.id}`
    expectOk(await editor.put(category, { title: 'Location types' }))
    const items = [bar, cafe, secret].map((tag_uuid) => ({ tag_uuid }))
    expectOk(await editor.put(`${category}/tags`, { items }))
    expect(await typesFor()).to.deep.equal(['Bar', 'Cafe', 'X'])
    expect(await typesFor(visitor)).to.deep.equal(['Bar', 'Cafe'])
    expectOk(await editor.patch(`/tags/${bar}`, { last_name_or_title: 'Pub' }))
    expectOk(await editor.delete(`/tags/${cafe}`))
    expect(await typesFor()).to.deep.equal(['Pub', 'X'])
    expectOk(await editor.delete(category))
    expect(await typesFor()).to.deep.equal([])
    expect(expectOk(await editor.get(`/locations/${id}`, fresh)).object['location_types']).to.deep.equal([])
  })

  // docs/behaviour/locations.md#filters
  it('are listed by the UUIDs or the titles of their types, as far as the role sees these', async () => {
    const { editor, visitor } = place.home
    const category = `/tags/categories/${firstCategory.id}`
    const tags: string[] = []
    for (const [title, more] of [
      ['Wine bar', {}],
      ['Café', {}],
      ['Secret', { state: 'internal' }],
      ['Not a type', {}],
    ] as const)
      tags.push(
        uuidOf(await editor.post('/tags', { last_name_or_title: title, urlname: randomUUID(), ...more })),
      )
    const [bar = '', cafe = '', secret = '', other = ''] = tags
    expectOk(await editor.put(category, { title: 'Types' }))
    const items = [bar, cafe, secret].map((uuid) => ({ uuid }))
    expectOk(await editor.put(`${category}/tags`, { items }))
    for (const [urlname, taggedBy] of Object.entries({
      a: [bar],
      b: [cafe, other],
      c: [secret, bar],
      d: [other],
    })) {
      const id = await create(urlname, { title: urlname })
      for (const tag of taggedBy) expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
    }
    const listed = async (types: string, query = '', api = editor) =>
      columnOf(
        await api.get(`/locations?fields=title&location_types=${encodeURIComponent(types)}${query}`, fresh),
      )
    expect(await listed('wine BAR')).to.deep.equal(['a', 'c'])
    expect(await listed(`cafe_${bar.toUpperCase()}`, '&order=title.desc')).to.deep.equal(['c', 'b', 'a'])
    expect(await listed('Wine bar', `&tags=${secret}`)).to.deep.equal(['c'])
    expect(await listed('Secret')).to.deep.equal(['c'])
    for (const each of ['Not a type', other, randomUUID(), 'Wine'])
      expect(await listed(each)).to.deep.equal([])
    for (const each of ['Secret', secret]) expect(await listed(each, '', visitor)).to.deep.equal([])
    expect(await listed(`Secret_Wine bar`, '', visitor)).to.deep.equal(['a', 'c'])
    const path = `/tags/${bar}/describes?fields=title&location_types=Secret`
    expect(columnOf(await editor.get(path, fresh))).to.deep.equal(['c'])
    expectOk(await editor.patch(`/tags/${bar}`, { last_name_or_title: 'Pub' }))
    expect(await listed('Wine bar')).to.deep.equal([])
    expect(await listed('pub')).to.deep.equal(['a', 'c'])
    expectOk(await editor.delete(`/tags/${bar}`))
    expect(await listed('Pub')).to.deep.equal([])
    expectOk(await editor.delete(category))
    expect(await listed('Café')).to.deep.equal([])
    expectFaults(await editor.get('/locations?location_types=_'), 'location_types')
  })
})
