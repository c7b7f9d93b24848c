import { expect } from 'chai'
import { describe, it } from 'mocha'
import { resources } from '@publishing-service/domain'
import { collections } from './collections.js'

describe('the collections', () => {
  it('are those of the resources and the service’s own, each once', () => {
    const names = collections.map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
    expect(names).to.include.members(resources.map(({ collection }) => collection))
  })

  it('name the keys that periods ask for, so that stores can pass over what a period leaves out', () => {
    const ranged = Object.fromEntries(
      collections.flatMap(({ name, ranged: keys = [] }) => (keys.length === 0 ? [] : [[name, keys]])),
    )
    expect(ranged).to.deep.equal({
      content: ['issued', 'created', 'modified'],
      locations: ['created', 'modified'],
      files: ['created'],
    })
  })

  it('name only keys that they have', () => {
    for (const { name, keys, unordered = [], ranged = [], indexes, tallies } of collections)
      for (const key of [
        ...unordered,
        ...ranged,
        ...indexes.flat(),
        ...tallies.flatMap((tally) => [tally.key, ...tally.within]),
      ])
        expect(keys, name).to.have.property(key)
  })
})
