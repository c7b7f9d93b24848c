/** The filter near and the order distance (docs/behaviour/locations.md#near). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('near', {}, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.editor.post(`/${collection}`, { urlname: randomUUID(), ...body }))
  const titles = async (query: string, client = place.home.reader) =>
    columnOf(await client.get(`${query}&fields=title`, fresh))
  const stephansplatz = '48.2085,16.3730'
  const seed = async (): Promise<void> => {
    for (const [title, coords, more] of [
      ['Graz', [47.0707, 15.4395], {}],
      ['Praterstern', [48.2184, 16.392], {}],
      ['Stephansplatz', [48.2085, 16.373], { price_index: 'free' }],
      ['Karlsplatz', [48.2004, 16.3695], {}],
      ['Hidden', [48.2086, 16.3731], { state: 'draft' }],
      ['Nowhere', null, {}],
      ['Fiji', [-17.8, 179.99], {}],
      ['Taveuni', [-16.85, -179.97], {}],
    ] as const)
      await write('locations', { title, coords, ...more })
  }

  it('selects locations in a circle, in any order, page by page', async () => {
    await seed()
    const near = (kilometres: number, query = '') =>
      titles(`/locations?near=${stephansplatz},${kilometres}${query}`)
    expect(await near(0.001)).to.deep.equal(['Stephansplatz'])
    expect(await near(1, '&order=title')).to.deep.equal(['Hidden', 'Karlsplatz', 'Stephansplatz'])
    expect(await near(3, '&order=title.desc&rpp=2')).to.deep.equal(['Stephansplatz', 'Praterstern'])
    expect(await near(3, '&order=title.desc&rpp=2&page=2')).to.deep.equal(['Karlsplatz', 'Hidden'])
    expect(await near(3, '&order=title.desc&rpp=2&page=3')).to.deep.equal([])
    expect(await near(1000)).to.deep.equal(['Graz', 'Praterstern', 'Stephansplatz', 'Karlsplatz', 'Hidden'])
    expect(await near(3, '&price_index=free')).to.deep.equal(['Stephansplatz'])
    expect(await titles('/locations?near=0,0,1000')).to.deep.equal([])
  })

  it('reaches across the antimeridian', async () => {
    await seed()
    expect(await titles('/locations?near=-17,180,200')).to.deep.equal(['Fiji', 'Taveuni'])
    expect(await titles('/locations?near=-17,-180,200')).to.deep.equal(['Fiji', 'Taveuni'])
  })

  it('sorts by distance, page by page', async () => {
    await seed()
    const nearest = `/locations?near=${stephansplatz},500&order=distance`
    const all = ['Stephansplatz', 'Hidden', 'Karlsplatz', 'Praterstern', 'Graz']
    expect(await titles(nearest)).to.deep.equal(all)
    expect(await titles(`${nearest}.asc&rpp=2`)).to.deep.equal(all.slice(0, 2))
    const second = await place.home.reader.get(`${nearest}&rpp=2&page=2&fields=title`, fresh)
    expect(columnOf(second)).to.deep.equal(all.slice(2, 4))
    expect(second.object).to.have.property('next')
    const last = await place.home.reader.get(`${nearest}&rpp=2&page=3&fields=title`, fresh)
    expect(columnOf(last)).to.deep.equal(['Graz'])
    expect(last.object).not.to.have.property('next')
  })

  it('shows a public_user only what is public', async () => {
    await seed()
    for (const query of [`near=${stephansplatz},1`, `near=${stephansplatz},1&order=distance`])
      expect(await titles(`/locations?${query}`, place.home.visitor)).to.have.members([
        'Stephansplatz',
        'Karlsplatz',
      ])
  })

  it('follows coordinates that change, and deletions', async () => {
    const id = await write('locations', { title: 'Van', coords: [10, 10] })
    const at = (point: string) => titles(`/locations?near=${point},1`)
    expect(await at('10,10')).to.deep.equal(['Van'])
    expectOk(await place.home.editor.patch(`/locations/${id}`, { coords: [20, 20] }))
    expect([await at('10,10'), await at('20,20')]).to.deep.equal([[], ['Van']])
    expectOk(await place.home.editor.patch(`/locations/${id}`, { coords: null }))
    expect(await at('20,20')).to.deep.equal([])
    expectOk(await place.home.editor.patch(`/locations/${id}`, { coords: [20, 20] }))
    expectOk(await place.home.editor.delete(`/locations/${id}`))
    expect(await at('20,20')).to.deep.equal([])
  })

  it('selects events by their location, and tagged locations', async () => {
    const bar = await write('locations', { title: 'Bar', coords: [30, 30] })
    const secret = await write('locations', { title: 'Secret', coords: [30, 30], state: 'draft' })
    const event = (title: string, location_uuid: string | null) =>
      write('content', {
        content_type: 'event',
        title,
        dtstart: '2026-05-01',
        state: 'published',
        location_uuid,
      })
    await event('At the bar', bar)
    await event('In secret', secret)
    await event('Elsewhere', null)
    for (const path of ['/events?', '/content?ctypes=events&']) {
      expect(await titles(`${path}near=30,30,1`)).to.deep.equal(['At the bar', 'In secret'])
      expect(await titles(`${path}near=30,30,1&order=dtstart`, place.home.visitor)).to.deep.equal([
        'At the bar',
      ])
      expect(await titles(`${path}near=-30,30,1`)).to.deep.equal([])
    }
    const tag = await write('tags', { last_name_or_title: 'Bars' })
    expectOk(await place.home.editor.put(`/tags/${tag}/describes/${bar}`, {}))
    expect(await titles(`/tags/${tag}/describes?near=30,30,1`)).to.deep.equal(['Bar'])
    expect(await titles(`/tags/${tag}/describes?near=30,31,1`)).to.deep.equal([])
  })

  it('sorts events by the distance of their locations, those at one place by creation', async () => {
    const at = (coords: readonly number[], more: JsonObject = {}) =>
      write('locations', { title: 'x', coords, ...more })
    const [far, close, twin] = [await at([40, 40.05]), await at([40, 40]), await at([40, 40])]
    const hidden = await at([40, 40], { state: 'draft' })
    for (const [title, location_uuid] of [
      ['a', far],
      ['b', twin],
      ['c', close],
      ['d', hidden],
      ['e', twin],
      ['f', far],
    ] as const)
      await write('content', {
        content_type: 'event',
        title,
        dtstart: '2026-05-01',
        state: title === 'e' ? 'draft' : 'published',
        location_uuid,
      })
    for (const path of ['/events?', '/content?ctypes=events&']) {
      const nearest = `${path}near=40,40,10&order=distance`
      expect(await titles(nearest)).to.deep.equal(['b', 'c', 'd', 'e', 'a', 'f'])
      expect(await titles(nearest, place.home.visitor)).to.deep.equal(['b', 'c', 'a', 'f'])
      expect(await titles(`${nearest}&rpp=2&page=2`)).to.deep.equal(['d', 'e'])
      expect(await titles(`${nearest}&rpp=2&page=3`)).to.deep.equal(['a', 'f'])
      expect(await titles(`${path}near=40,40,1&order=distance.asc`)).to.deep.equal(['b', 'c', 'd', 'e'])
    }
  })

  it('is a fault that says what is accepted', async () => {
    const get = (query: string) => place.home.reader.get(query, fresh)
    for (const near of ['', '1,2', '91,0,1', '0,0,0', '0,0,1001', 'x'])
      expectFaults(await get(`/locations?near=${near}`), 'near')
    for (const order of [
      'distance',
      'distance.desc&near=1,1,1',
      'distance,title&near=1,1,1',
      'title,distance&near=1,1,1',
    ])
      expectFaults(await get(`/locations?order=${order}`), 'order')
    expectFaults(await get('/locations?near=1,1,1&order=distance&rpp=100&page=101'), 'page')
    expectFaults(await get('/content?near=1,1,1'), 'near')
    expectFaults(await get('/events?order=distance'), 'order')
    expectFaults(await get('/content?near=1,1,1&order=distance'), 'near', 'order')
    expectFaults(await get('/events?near=1,1,1&order=distance,dtstart'), 'order')
  })
})
