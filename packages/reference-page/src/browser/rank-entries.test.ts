import { expect } from 'chai'
import { describe, it } from 'mocha'
import { rankEntries, type Entry } from './rank-entries.js'

const entry = (title: string, kind = '', text = '', words: readonly string[] = []): Entry => ({
  title,
  kind,
  text,
  words,
  href: title,
})

const titles = (entries: readonly Entry[], query: string, most = 10): readonly string[] =>
  rankEntries(entries, query, most).map(({ title }) => title)

describe('rankEntries', () => {
  const entries = [
    entry('Read a location', 'GET /{iid}/locations/{uuid}', 'coupon_expires'),
    entry('coupon_expires_never'),
    entry('the coupon_expires'),
    entry('coupon_expires', 'Location', 'When the coupon ends.'),
    entry('title', 'Location'),
  ]

  it('ranks an exact title before a prefix, a part and a mention', () => {
    expect(titles(entries, 'coupon_expires')).to.deep.equal([
      'coupon_expires',
      'coupon_expires_never',
      'the coupon_expires',
      'Read a location',
    ])
  })

  it('requires every word, in any case and order', () => {
    expect(titles(entries, ' LOCATION  title ')).to.deep.equal(['title'])
    expect(titles(entries, 'location nowhere')).to.deep.equal([])
  })

  it('finds words like titles, also words with spaces', () => {
    const all = [
      entry('limit of rows', '', 'the rate'),
      entry('Rate limits', '', '', ['throttling', 'rate limit']),
      entry('urlname', '', '', ['slug']),
      entry('slugs'),
    ]
    expect(titles(all, 'rate limit')).to.deep.equal(['Rate limits', 'limit of rows'])
    expect(titles(all, 'slug')).to.deep.equal(['urlname', 'slugs'])
    expect(titles(all, 'throttl')).to.deep.equal(['Rate limits'])
  })

  it('returns at most the limit, and nothing for an empty query', () => {
    expect(titles(entries, 'coupon', 2)).to.have.length(2)
    expect(titles(entries, '  ')).to.deep.equal([])
  })
})
