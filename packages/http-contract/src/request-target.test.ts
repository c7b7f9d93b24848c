import { placeText } from '@publishing-service/domain/lists'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { pageQuery, withoutOwnAddress } from './request-target.js'

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

const text = fc.string({ unit: 'grapheme' }).filter((each) => each.isWellFormed())
const parameters = fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), text, {
  noNullPrototype: true,
})

/** The decoded names and values of a query. */
const readQuery = (query: string): readonly (readonly [string, string])[] =>
  query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [decodeURIComponent(name), decodeURIComponent(value)]
  })

const second = { page: 2, after: null }

describe('the query of another page', () => {
  it('contains the unchanged parameters, sorted by name, and the page', () =>
    fc.assert(
      fc.property(parameters, fc.integer({ min: 1 }), (current, page) => {
        const read = readQuery(pageQuery(current, { page, after: null }))
        const { after: _after, ...others } = current
        expect(Object.fromEntries(read)).to.deep.equal({ ...others, page: String(page) })
        const names = read.map(([name]) => name)
        expect(names).to.deep.equal(names.toSorted((a, b) => (a < b ? -1 : 1)))
      }),
    ))

  it('contains only characters of addresses, and does not encode : - _ . ,', () =>
    fc.assert(
      fc.property(parameters, (current) => {
        expect(pageQuery({ ...current, fields: 'a-b,c_d.e:f' }, second)).to.match(
          /^[A-Za-z0-9\-_.~!*'()%=&:,]*$/,
        )
        expect(pageQuery({ fields: 'a-b,c_d.e:f' }, second)).to.equal('fields=a-b,c_d.e:f&page=2')
      }),
    ))

  it('has where the page starts in place of where this one does', () => {
    const query = pageQuery({ after: 'x' }, { page: 2, after: [['a="ü'], [7]] })
    expect(query).to.match(/^after=[A-Za-z0-9_-]+&page=2$/)
    expect(readQuery(query)).to.deep.include(['after', placeText(2, [['a="ü'], [7]])])
  })

  it('leaves out parameters that were not sent', () => {
    expect(pageQuery({ order: undefined, rpp: '5', page: '7' }, { page: 3, after: null })).to.equal(
      'page=3&rpp=5',
    )
  })
})
