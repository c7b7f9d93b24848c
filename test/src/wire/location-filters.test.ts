/** The filters closed, price_index, pcode and geoname_id of locations (docs/behaviour/locations.md#filters). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('filters of locations', {}, (place) => {
  const write = async (title: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.editor.post('/locations', { title, urlname: randomUUID(), ...body }))
  const found = async (query: string, client = place.home.reader) =>
    columnOf(await client.get(`/locations?${query}&fields=title`, fresh))

  it('select locations, in any order and on several pages', async () => {
    const bar = await write('bar', { price_index: 'free', pcode: '1010', geoname_id: 2761369 })
    await write('cafe', { closed: true, price_index: 'very expensive', pcode: 'SW1A 1AA' })
    await write('ale', { price_index: 'Free', pcode: '1020', geoname_id: 2761369 })
    await write('draft', { state: 'draft', pcode: '1010' })
    expect(await found('closed=true')).to.deep.equal(['cafe'])
    expect(await found('closed=false&order=title')).to.deep.equal(['ale', 'bar', 'draft'])
    expect(await found('closed=false&order=sort_title.desc&rpp=1&page=2')).to.deep.equal(['bar'])
    expect(await found('price_index=free-very_expensive&order=title.desc')).to.deep.equal([
      'cafe',
      'bar',
      'ale',
    ])
    expect(await found('pcode=SW1A%201AA_1020')).to.deep.equal(['cafe', 'ale'])
    expect(await found('geoname_id=2761369')).to.deep.equal(['bar', 'ale'])
    expect(await found('geoname_id=1_2761369&closed=false&pcode=1010&price_index=free')).to.deep.equal([
      'bar',
    ])
    expect(await found('pcode=1010')).to.deep.equal(['bar', 'draft'])
    expect(await found('pcode=1010', place.home.visitor)).to.deep.equal(['bar'])
    expectOk(await place.home.editor.patch(`/locations/${bar}`, { closed: true }))
    expect(await found('closed=true&order=title')).to.deep.equal(['bar', 'cafe'])
  })

  it('have faults for wrong values', async () => {
    const query = '/locations?closed=yes&price_index=cheap&pcode=_&geoname_id=0'
    expectFaults(await place.home.reader.get(query), 'closed', 'price_index', 'pcode', 'geoname_id')
  })
})
