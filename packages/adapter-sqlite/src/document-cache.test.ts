import { describe, it } from 'mocha'
import { expect } from 'chai'
import { documentCache } from './document-cache.js'

const text = (title: string): string => JSON.stringify({ title })

describe('Cached documents', () => {
  it('are found at the version that was read, and at no other', () => {
    const cache = documentCache(1000)
    expect(cache.find(1, 1)).to.equal(undefined)
    const value = cache.add(1, 1, text('a'))
    expect(value).to.deep.equal({ title: 'a' })
    expect(cache.find(1, 1)).to.equal(value)
    expect(cache.find(1, 2)).to.equal(undefined)
    cache.add(1, 2, text('b'))
    expect(cache.find(1, 2)).to.deep.equal({ title: 'b' })
    expect(cache.find(1, 1)).to.equal(undefined)
  })

  it('are as many as their limit has room for; the least recently used go first', () => {
    const cache = documentCache(text('a').length * 2)
    cache.add(1, 1, text('a'))
    cache.add(2, 1, text('b'))
    cache.add(2, 2, text('c'))
    cache.find(1, 1)
    cache.add(3, 1, text('d'))
    expect(
      [1, 2, 3].filter((sequence) => cache.find(sequence, sequence === 2 ? 2 : 1) !== undefined),
    ).to.deep.equal([1, 3])
    expect(cache.add(4, 1, text('larger than all the room there is'))).to.have.property('title')
    expect(cache.find(4, 1)).to.equal(undefined)
    // A damaged text may be empty.
    expect(cache.find(5, 1) ?? cache.add(5, 1, '')).to.equal(cache.find(5, 1))
  })

  it('can’t be changed by who reads them', () => {
    const value = documentCache(1000).add(1, 1, '{"list":[{"a":1}]}')
    const list = value['list']
    expect([value, list, Array.isArray(list) ? list[0] : null].map(Object.isFrozen)).to.deep.equal([
      true,
      true,
      true,
    ])
  })
})
