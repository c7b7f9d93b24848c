/** The filters by attributes of locations (docs/behaviour/locations.md#filters). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { parseCollectionQuery } from '../resource/collection-query.js'
import { matchesFilter } from '../resource/filter.js'
import type { Parameters } from '../resource/collection-filter.js'
import { messages, storedState, viewer } from '../testing/index.js'
import { location } from './location.js'

const parse = (parameters: Parameters) => parseCollectionQuery(location, parameters, viewer('reader'), false)

const states = Object.entries({
  bar: { price_index: 'free', pcode: '1010', geoname_id: 1 },
  cafe: { closed: true, price_index: 'very expensive', pcode: 'SW1A 1AA', geoname_id: 2_000_000_000 },
  club: { price_index: 'Expensive', pcode: '12345-6789' },
  other: { closed: null },
}).map(([title, more]) => storedState(location, { title, urlname: title, ...more }))

const found = (parameters: Parameters): readonly unknown[] => {
  const query = parse(parameters)
  if (E.isLeft(query)) return expect.fail(JSON.stringify(query.left))
  return states
    .filter((state) => query.right.where.every((filter) => matchesFilter(filter, state)))
    .map(({ title }) => title)
}

const faults = (parameters: Parameters): Readonly<Record<string, string>> => {
  const query = parse(parameters)
  return E.isLeft(query) ? messages(query.left) : {}
}

describe('the filters of locations', () => {
  it('select closed locations, and the others', () => {
    expect(found({ closed: 'true' })).to.deep.equal(['cafe'])
    expect(found({ closed: 'false' })).to.deep.equal(['bar', 'club', 'other'])
  })

  it('select by price levels', () => {
    expect(found({ price_index: 'free' })).to.deep.equal(['bar'])
    expect(found({ price_index: 'very_expensive-expensive' })).to.deep.equal(['cafe', 'club'])
    expect(found({ price_index: 'moderate,inexpensive' })).to.deep.equal([])
  })

  it('select by postal codes, as they are stored', () => {
    expect(found({ pcode: '1010' })).to.deep.equal(['bar'])
    expect(found({ pcode: 'SW1A 1AA_12345-6789' })).to.deep.equal(['cafe', 'club'])
    expect(found({ pcode: 'sw1a 1aa' })).to.deep.equal([])
  })

  it('select by numbers of places at GeoNames', () => {
    expect(found({ geoname_id: '2000000000_1' })).to.deep.equal(['bar', 'cafe'])
    expect(found({ geoname_id: '7' })).to.deep.equal([])
  })

  it('select what meets all of them', () => {
    expect(found({ closed: 'false', pcode: '1010_SW1A 1AA' })).to.deep.equal(['bar'])
  })

  it('have faults that state what is accepted', () => {
    for (const closed of ['', 'TRUE', '1', 'no'])
      expect(faults({ closed })).to.deep.equal({ closed: 'must be true or false' })
    expect(faults({ price_index: 'cheap' })).to.deep.equal({
      price_index:
        'must be among free, inexpensive, moderate, expensive, very_expensive, joined by hyphens; «cheap» is not',
    })
    for (const pcode of ['', '1010_', '_1010', 'x'.repeat(256)])
      expect(faults({ pcode })['pcode']).to.match(/^must be texts of 1 to 255 characters, separated by under/)
    for (const geoname_id of ['', '0', '-1', '1.0', '01', '1e3', ' 1', '2000000001', '1_x', '1-2'])
      expect(faults({ geoname_id })['geoname_id']).to.match(
        /^must be whole numbers from 1 to 2000000000, sep/,
      )
    const many = Array.from({ length: 101 }, () => '1').join('_')
    expect(faults({ pcode: many, geoname_id: many })).to.deep.equal({
      pcode: 'must name at most 100',
      geoname_id: 'must name at most 100',
    })
  })
})
