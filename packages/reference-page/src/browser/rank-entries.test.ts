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

  it('puts what is called so before what begins, holds and mentions it', () => {
    expect(titles(entries, 'coupon_expires')).to.deep.equal([
      'coupon_expires',
      'coupon_expires_never',
      'the coupon_expires',
      'Read a location',
    ])
  })

  it('wants every word, in any letter case and place', () => {
    expect(titles(entries, ' LOCATION  title ')).to.deep.equal(['title'])
    expect(titles(entries, 'location nowhere')).to.deep.equal([])
  })

  it('finds words like titles, also those of several parts', () => {
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

  it('gives at most so many, and nothing for nothing', () => {
    expect(titles(entries, 'coupon', 2)).to.have.length(2)
    expect(titles(entries, '  ')).to.deep.equal([])
  })
})
