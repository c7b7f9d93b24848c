import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withoutOwnAddress } from './request-target.js'

// docs/behaviour/collections.md#appended-links
describe('a query without the address of its request', () => {
  const target = { base: 'https://api.example.org/base', path: '/7/tags' }
  const read = (query: Readonly<Record<string, string>>) => withoutOwnAddress({ ...target, query })

  it('has the name after it', () => {
    for (const address of ['https://api.example.org/base/7/tags', '/base/7/tags', '/7/tags'])
      expect(read({ [`${address}?fields`]: 'title', page: '2' })).to.deep.equal({
        fields: 'title',
        page: '2',
      })
  })

  it('has names unchanged that begin with another address', () => {
    for (const address of ['https://other.example.org/base/7/tags', '/7/tags/x', '/8/tags', 'x/7/tags', ''])
      expect(read({ [`${address}?fields`]: 'title' })).to.deep.equal({ [`${address}?fields`]: 'title' })
  })

  it('has all values of a name that is sent in both forms', () => {
    expect(read({ page: '1', '/7/tags?page': '2' })).to.deep.equal({ page: ['1', '2'] })
  })
})
