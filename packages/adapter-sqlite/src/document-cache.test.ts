import { describe, it } from 'mocha'
import { expect } from 'chai'
import { documentCache, type DocumentCache, type SizedValue } from './document-cache.js'

const light = (title: string): SizedValue => ({ value: { title }, bytes: 13 })

/** A cache of documents that are all read for the second time. */
const cacheOfKnown = (limit: number): DocumentCache => {
  const { find, add } = documentCache(limit)
  return {
    find,
    add: (sequence, version, value) => {
      add(sequence, version, value)
      return add(sequence, version, value)
    },
  }
}

describe('Cached documents', () => {
  it('are those that were read before, at the same version', () => {
    const { find, add } = documentCache(1000)
    add(1, 1, light('a'))
    expect(find(1, 1)).to.equal(undefined)
    add(1, 2, light('b'))
    expect(find(1, 2)).to.equal(undefined)
    add(1, 2, light('b'))
    expect(find(1, 2)).to.deep.equal(light('b'))
  })

  it('are found only at the version that was read', () => {
    const cache = cacheOfKnown(1000)
    expect(cache.find(1, 1)).to.equal(undefined)
    const value = cache.add(1, 1, light('a'))
    expect(value).to.deep.equal(light('a'))
    expect(cache.find(1, 1)).to.equal(value)
    expect(cache.find(1, 2)).to.equal(undefined)
    cache.add(1, 2, light('b'))
    expect(cache.find(1, 2)).to.deep.equal(light('b'))
    expect(cache.find(1, 1)).to.equal(undefined)
  })

  it('are limited in bytes; the least recently used are evicted first', () => {
    const cache = cacheOfKnown(light('a').bytes * 2)
    cache.add(1, 1, light('a'))
    cache.add(2, 1, light('b'))
    cache.add(2, 2, light('c'))
    cache.find(1, 1)
    cache.add(3, 1, light('d'))
    expect(
      [1, 2, 3].filter((sequence) => cache.find(sequence, sequence === 2 ? 2 : 1) !== undefined),
    ).to.deep.equal([1, 3])
    const large = { value: {}, bytes: 27 }
    expect(cache.add(4, 1, large)).to.equal(large)
    expect(cache.find(4, 1)).to.equal(undefined)
    // A damaged text may be empty.
    const empty = { value: {}, bytes: 0 }
    expect(cache.add(5, 1, empty)).to.equal(cache.find(5, 1))
  })

  it('can’t be changed by their readers', () => {
    const { value } = cacheOfKnown(1000).add(1, 1, { value: { list: [{ a: 1 }] }, bytes: 18 })
    const list = value['list']
    expect([value, list, Array.isArray(list) ? list[0] : null].map(Object.isFrozen)).to.deep.equal([
      true,
      true,
      true,
    ])
  })
})
