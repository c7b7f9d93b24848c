/** The parameters of a tag cloud and the order of its tags (docs/behaviour/tags.md#tag-cloud). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { Parameters } from '../resource/collection-filter.js'
import { fold } from '../value/fold.js'
import { parseCloudQuery, rankTags } from './tag-cloud.js'

const category = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

const parsed = (parameters: Parameters) => {
  const query = parseCloudQuery(parameters)
  return E.isRight(query) ? query.right : query.left.map(({ path }) => path)
}

describe('the parameters of a tag cloud', () => {
  it('have defaults', () => {
    expect(parsed({})).to.deep.equal({ limit: 50, predicate: null, types: null, category: null })
  })

  it('are decoded', () => {
    expect(
      parsed({
        limit: '500',
        predicate: 'authored',
        ctypes: 'articles-roundups,events',
        category: category.toUpperCase(),
      }),
    ).to.deep.equal({
      limit: 500,
      predicate: 'authored',
      types: ['article', 'roundup_location', 'roundup_content', 'event'],
      category,
    })
    expect(parsed({ ctypes: 'reviews-reviews_book-reviews' })).to.deep.include({
      types: ['review_album', 'review_book', 'review_product', 'review_movie', 'review_location'],
    })
  })

  it('report all faults together', () => {
    expect(parsed({ limit: '0', predicate: 'likes', ctypes: 'articles-', category: 'x' })).to.deep.equal([
      'limit',
      'predicate',
      'ctypes',
      'category',
    ])
    for (const limit of ['', '501', '-1', '1.5', '1e2', '0x1', ' 1', '9999'])
      expect(parsed({ limit }), limit).to.deep.equal(['limit'])
    for (const name of ['limit', 'predicate', 'ctypes', 'category'])
      expect(parsed({ [name]: ['1', '2'] })).to.deep.equal([name])
    for (const ctypes of ['', 'article', 'toString', 'articles--events'])
      expect(parsed({ ctypes }), ctypes).to.deep.equal(['ctypes'])
    expect(parsed({ predicate: 'toString' })).to.deep.equal(['predicate'])
  })
})

describe('the tags of a cloud', () => {
  const tags = fc.uniqueArray(
    fc.record({
      uuid: fc.uuid(),
      title: fc.oneof(fc.constantFrom('a', 'A', 'ä', 'b', ''), fc.string()),
      count: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 30, selector: ({ uuid }) => uuid },
  )

  it('are ordered by count, then title, with the share of the highest count as weight', () => {
    expect(
      rankTags(
        [
          { uuid: 'c', title: 'c', count: 3 },
          { uuid: 'B', title: 'B', count: 2 },
          { uuid: 'a', title: 'a', count: 2 },
          { uuid: 'z', title: 'z', count: 6 },
        ],
        3,
      ),
    ).to.deep.equal([
      { uuid: 'z', title: 'z', count: 6, weight: 1 },
      { uuid: 'c', title: 'c', count: 3, weight: 0.5 },
      { uuid: 'a', title: 'a', count: 2, weight: 0.3333 },
    ])
    expect(rankTags([], 50)).to.deep.equal([])
  })

  it('are the most used, in an order that does not depend on the input', () => {
    fc.assert(
      fc.property(
        tags,
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat()),
        (each, limit, random) => {
          const ranked = rankTags(each, limit)
          expect(ranked).to.have.lengthOf(Math.min(limit, each.length))
          for (const [index, { count, title, weight }] of ranked.entries()) {
            const before = ranked[index - 1]
            expect(weight).to.be.within(0, 1)
            if (before === undefined) expect(weight).to.equal(1)
            else {
              expect(before.count).to.be.at.least(count)
              if (before.count === count) expect(fold(before.title) <= fold(title)).to.equal(true)
            }
          }
          const left = each.filter(({ uuid }) => !ranked.some((other) => other.uuid === uuid))
          for (const { count } of left) expect(count).to.be.at.most(ranked.at(-1)?.count ?? 0)
          const keys = new Map(each.map((tag) => [tag, Number(random.next().value)]))
          const shuffled = each.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))
          expect(rankTags(shuffled, limit)).to.deep.equal(ranked)
        },
      ),
    )
  })
})
