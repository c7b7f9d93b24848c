import { expect } from 'chai'
import { describe, it } from 'mocha'
import { indexesOf } from './collection-layout.js'

const collection = { name: 'things', heavy: [], indexes: [], groupCounts: [] } as const

const namesOf = (...parameters: Parameters<typeof indexesOf>): readonly string[] =>
  indexesOf(...parameters).map(({ name }) => name)

describe('the indexes of a collection', () => {
  it('are one for each direction of a key, and one for a key that no query orders by', () => {
    const keys = { title: 'text', kind: 'text', tags: 'texts' } as const
    const names = namesOf({ ...collection, keys, unordered: ['kind'], indexes: [['kind', 'title']] })
    expect(names.filter((name) => name.startsWith('by_'))).to.deep.equal([
      'by_title_asc',
      'by_title_desc',
      'by_kind_asc',
      'by_tags_has',
      'by_kind_asc_title_asc',
      'by_kind_asc_title_desc',
    ])
  })

  it('are at most as many as MongoDB accepts, without the one over _id', () => {
    const keysOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`key_${number}`, 'text' as const]))
    expect(namesOf({ ...collection, keys: keysOf(30) })).to.have.length(63)
    expect(() => indexesOf({ ...collection, keys: keysOf(31) })).to.throw('things needs 65 indexes')
  })
})
