import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  cursorAt,
  InvalidCursor,
  placeIn,
  queryConditions,
  queryOrder,
  rangesAfter,
} from './query-conditions.js'

const collection = {
  name: 'things',
  keys: { title: 'text', rank: 'number', open: 'boolean', tags: 'texts' },
} as const

const title = { key: 'title', type: 'text' } as const

describe('queryConditions', () => {
  it('has one condition for a filter with one value, and none for a filter that every document meets', () => {
    for (const [filter, expected] of [
      [{ key: 'title', equals: 'a' }, [{ is: 'equal', ...title, value: 'a' }]],
      [{ key: 'title', oneOf: ['a', 'a', 1] }, [{ is: 'equal', ...title, value: 'a' }]],
      [{ key: 'title', oneOf: ['', 'a', null] }, [{ is: 'one of', ...title, values: [null, 'a'] }]],
      [{ key: 'title', atMost: '' }, [{ is: 'equal', ...title, value: null }]],
      [{ key: 'title', atLeast: '' }, []],
      [{ anyOf: [[{ key: 'title', equals: 'a' }], []] }, []],
      [
        { anyOf: [[{ key: 'title', equals: 'a' }], [{ key: 'rank', equals: 'a' }]] },
        [{ is: 'equal', ...title, value: 'a' }],
      ],
    ] as const)
      expect(queryConditions(collection, [filter]), JSON.stringify(filter)).to.deep.equal(expected)
  })

  it('is null if no document can match', () => {
    for (const where of [
      [{ key: 'title', equals: 1 }],
      [{ key: 'title', oneOf: [] }],
      [{ key: 'title', below: '' }],
      [{ key: 'tags', has: '' }],
      [{ anyOf: [] }],
      [{ anyOf: [[{ key: 'open', equals: 'true' }]] }],
      [
        { key: 'title', equals: 'a' },
        { key: 'title', oneOf: ['b', 'c'] },
      ],
    ])
      expect(queryConditions(collection, where), JSON.stringify(where)).to.equal(null)
  })

  it('throws for undeclared keys, and for filters of another type', () => {
    for (const filter of [
      { key: 'other', equals: 1 },
      { key: 'toString', equals: 1 },
      { key: 'tags', equals: 'a' },
      { key: 'title', has: 'a' },
      {
        anyOf: [
          [
            { key: 'title', equals: 1 },
            { key: 'other', equals: 1 },
          ],
        ],
      },
    ])
      expect(() => queryConditions(collection, [filter]), JSON.stringify(filter)).to.throw('declares no')
    expect(() => queryOrder(collection, [{ key: 'tags', direction: 'asc' }], [])).to.throw('declares no')
  })
})

describe('Orders and cursors', () => {
  const order = [
    { key: 'rank', direction: 'desc' },
    { key: 'title', direction: 'asc' },
  ] as const

  it('omit keys with one value', () => {
    const conditions = queryConditions(collection, [{ key: 'title', equals: 'a' }]) ?? []
    expect(queryOrder(collection, [...order, ...order], conditions)).to.deep.equal([order[0]])
  })

  it('return the ranges after a position, nearest first', () => {
    expect(rangesAfter(order, [1, null])).to.deep.equal([
      { equal: [1, null], after: null, remaining: [] },
      { equal: [1], after: { order: order[1], value: null }, remaining: [order[1]] },
      { equal: [], after: { order: order[0], value: 1 }, remaining: order },
    ])
  })

  it('read cursors of the same query, and reject others', () => {
    const position = { values: [1, null], position: 7 }
    expect(placeIn(cursorAt(position), 2)).to.deep.equal(position)
    expect(() => placeIn(cursorAt(position), 1)).to.throw(InvalidCursor)
    for (const other of ['a', [[]], ['a'], [0.5], [1e300], [null]])
      expect(() => placeIn(other, 0)).to.throw(InvalidCursor)
  })
})
