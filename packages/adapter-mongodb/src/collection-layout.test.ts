import { expect } from 'chai'
import { describe, it } from 'mocha'
import { indexesOf } from './collection-layout.js'

const collection = { name: 'things', heavy: [], indexes: [], groupCounts: [] } as const

const namesOf = (...parameters: Parameters<typeof indexesOf>): readonly string[] =>
  indexesOf(...parameters).map(({ name }) => name)

describe('the indexes of a collection', () => {
  it('are those that it declares, for both directions', () => {
    const keys = { title: 'text', kind: 'text', tags: 'texts' } as const
    const names = namesOf({ ...collection, keys, indexes: [['title'], ['tags'], ['kind', 'title']] })
    expect(names.filter((name) => name.startsWith('by_'))).to.deep.equal([
      'by_title_asc',
      'by_tags_has',
      'by_kind_asc_title_asc',
    ])
  })

  it('are at most 60, without the one over _id', () => {
    const withIndexes = (count: number) => {
      const names = Array.from({ length: count }, (_, number) => `key_${number}`)
      const keys = Object.fromEntries(names.map((key) => [key, 'text' as const]))
      return { ...collection, keys, indexes: names.map((key) => [key]) }
    }
    expect(namesOf(withIndexes(56))).to.have.length(60)
    expect(() => indexesOf(withIndexes(57))).to.throw('things needs 61 indexes')
  })
})
