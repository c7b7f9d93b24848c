/** The list of the objects of a tag, made from the declarations of their kinds (docs/behaviour/tags.md#objects-of-a-tag). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { fieldsOf, parseCollectionQuery } from '../resource/collection-query.js'
import type { Filter } from '../resource/filter.js'
import type { Parameters } from '../resource/collection-filter.js'
import { viewer } from '../testing/index.js'
import { filtersForKind, taggedIndex, taggedKinds } from './tagged-index.js'

const tag = '00000001-0000-4000-8000-000000000000'

const whereOf = (parameters: Parameters): readonly Filter[] => {
  const query = parseCollectionQuery(taggedIndex, parameters, viewer('editor'), true)
  return E.isRight(query) ? query.right.where : expect.fail(JSON.stringify(query.left))
}

/** The filters for objects of a kind, of which every attribute is a key. */
const filtersOf = (name: string, parameters: Parameters): readonly Filter[] | null => {
  const kind = taggedKinds.find((each) => each.name === name)
  if (kind === undefined) return expect.fail(name)
  const { type: _kind, ...keys } = kind.attributes
  return filtersForKind(kind, whereOf(parameters), (key) => Object.hasOwn(keys, key))
}

describe('the list of the objects of a tag', () => {
  it('has the fields, orders and filters of all kinds, and the kind as type', () => {
    for (const kind of taggedKinds) {
      expect([...fieldsOf(taggedIndex).keys()]).to.include.members([...fieldsOf(kind).keys()])
      expect(taggedIndex.orders).to.include(kind.orders)
      const { predicate: _inPath, ...filters } = kind.filters
      expect(taggedIndex.filters).to.include.keys(...Object.keys(filters), 'type')
    }
    expect(taggedIndex.filters).not.to.have.property('predicate')
  })

  it('has each filter of several kinds with the same keys', () => {
    for (const { filters, name } of taggedKinds)
      for (const [filter, { keys }] of Object.entries(filters))
        if (filter !== 'predicate' && filter !== 'type')
          expect(taggedIndex.filters[filter]?.keys, `${name} ${filter}`).to.deep.equal(keys)
  })

  it('has filters that objects of a kind meet, meet never, or may meet', () => {
    const type = 'location-file'
    expect(filtersOf('location', { type })).to.deep.equal([])
    expect(filtersOf('content', { type })).to.equal(null)
    expect(filtersOf('location', { type, closed: 'true' })).to.deep.equal(whereOf({ closed: 'true' }))
    expect(filtersOf('file', { type, closed: 'true' })).to.equal(null)
    expect(filtersOf('file', { closed: 'false' })).to.equal(null)
    expect(filtersOf('file', { tags: tag })).to.deep.equal(whereOf({ tags: tag }))
    expect(filtersOf('file', { created: '2026-01-01_', type })).to.deep.equal(
      whereOf({ created: '2026-01-01_' }),
    )
    expect(filtersOf('blog', { created: '2026-01-01_' })).to.equal(null)
  })

  it('has objects without a state as published ones', () => {
    for (const state of ['published', 'live']) {
      expect(filtersOf('file', { state })).to.deep.equal([])
      expect(filtersOf('location', { state })).to.deep.equal(whereOf({ state }))
    }
    expect(filtersOf('blog', { state: 'draft' })).to.equal(null)
  })

  it('has the groups of alternatives that objects of a kind may meet', () => {
    const [kind] = taggedKinds
    if (kind === undefined) return expect.fail('no kinds')
    const of = (...anyOf: Extract<Filter, { readonly anyOf: unknown }>['anyOf'][number][]) =>
      filtersForKind(kind, [{ anyOf }], (key) => key === 'a')
    const a = { key: 'a', equals: 1 }
    const never = { key: 'b', equals: 1 }
    const always = { key: 'b', equals: null }
    expect(of([a, never], [a])).to.deep.equal([{ anyOf: [[a]] }])
    expect(of([a, always], [never])).to.deep.equal([{ anyOf: [[a]] }])
    expect(of([a], [always])).to.deep.equal([])
    expect(of([never], [never, a])).to.equal(null)
    expect(of()).to.equal(null)
  })
})
