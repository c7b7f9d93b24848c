import { expect } from 'chai'
import { LRUCache } from 'lru-cache'
import { describe, it } from 'mocha'
import { entryLimit } from './entry-limit.js'

describe('a cache with a limit of entries', () => {
  it('contains as many entries, and evicts the least recently used', () => {
    const cache = new LRUCache<number, string>(entryLimit(3))
    for (const key of [1, 2, 3]) cache.set(key, `value ${key}`)
    cache.set(2, 'changed')
    expect(cache.get(1)).to.equal('value 1')
    cache.set(4, 'value 4')
    expect([...cache.keys()]).to.have.members([1, 2, 4])
  })
})
