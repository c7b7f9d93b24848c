/** Tests of what a query finds. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Json } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/ports'
import { asc, desc, insertAll, insertIntoAll } from './insert-all.js'
import { sentences } from './sentences.js'
import { all, idsOf, right, type Stage } from './stage.js'

const exactFilters = (stage: Stage): void => {
  const values = [
    { title: 'a', kind: 'x', rank: 1, open: true },
    { title: 'b', kind: 'x', rank: 2, open: false },
    { title: 'a', kind: 'y', rank: 3, open: true },
    { title: 'c', kind: 'y', rank: 0.1 },
    {},
  ]
  const cases: readonly (readonly [string, readonly Filter[], readonly number[]])[] = [
    ['no filter', [], [0, 1, 2, 3, 4]],
    ['text that equals', [{ key: 'title', equals: 'a' }], [0, 2]],
    ['text that nobody holds', [{ key: 'title', equals: 'A' }], []],
    ['number that equals', [{ key: 'rank', equals: 0.1 }], [3]],
    ['true', [{ key: 'open', equals: true }], [0, 2]],
    ['false, which is not absent', [{ key: 'open', equals: false }], [1]],
    ['one of some', [{ key: 'title', oneOf: ['c', 'b', 'nobody’s'] }], [1, 3]],
    ['one of one', [{ key: 'rank', oneOf: [2] }], [1]],
    ['one of a list that repeats itself', [{ key: 'title', oneOf: ['b', 'b', 'b'] }], [1]],
    ['one of none', [{ key: 'title', oneOf: [] }], []],
    ['one of both booleans', [{ key: 'open', oneOf: [true, false] }], [0, 1, 2]],
    ['at least', [{ key: 'rank', atLeast: 2 }], [1, 2]],
    ['at least, text', [{ key: 'title', atLeast: 'b' }], [1, 3]],
    ['at least and below', [{ key: 'rank', atLeast: 1, below: 3 }], [0, 1]],
    ['at least and at most', [{ key: 'title', atLeast: 'a', atMost: 'b' }], [0, 1, 2]],
    ['above', [{ key: 'rank', above: 1 }], [1, 2]],
    ['above, text', [{ key: 'title', above: 'a' }], [1, 3]],
    ['above what nobody holds', [{ key: 'title', above: 'aa' }], [1, 3]],
    ['above and below', [{ key: 'rank', above: 0.1, below: 2 }], [0]],
    ['above and at least', [{ key: 'rank', above: 1, atLeast: 1 }], [1, 2]],
    ['a range with nothing in it', [{ key: 'rank', atLeast: 3, below: 3 }], []],
    ['a range without sides', [{ key: 'rank' }], [0, 1, 2, 3, 4]],
    [
      'several filters',
      [
        { key: 'kind', equals: 'y' },
        { key: 'open', equals: true },
        { key: 'rank', atLeast: 1 },
      ],
      [2],
    ],
    [
      'several filters of one key',
      [
        { key: 'title', oneOf: ['a', 'b'] },
        { key: 'title', equals: 'b' },
      ],
      [1],
    ],
    [
      'filters that exclude each other',
      [
        { key: 'title', equals: 'a' },
        { key: 'title', equals: 'b' },
      ],
      [],
    ],
    [
      'two ranges of one key',
      [
        { key: 'rank', atLeast: 1 },
        { key: 'rank', atMost: 2 },
      ],
      [0, 1],
    ],
  ]
  const query = insertIntoAll(stage, values)
  for (const [name, where, expected] of cases)
    it(name, async () => {
      expect(await query({ where })).to.deep.equal(expected)
    })

  it('values that no document can hold under the key', async () => {
    const found = await insertAll(stage, [
      ...values,
      { title: '1', kind: 'true', rank: 0 },
      { title: '[]', open: false },
    ])
    const foreign: readonly (readonly [string, readonly Json[]])[] = [
      ['title', [1, true, ['a'], [], {}, { title: 'a' }, [null]]],
      ['rank', ['1', true, false, [1], {}, '0.1']],
      ['open', ['true', 'false', 1, 0, [true], {}]],
    ]
    for (const [key, wrong] of foreign) {
      for (const equals of wrong)
        expect(await found({ where: [{ key, equals }] }), JSON.stringify(equals)).to.deep.equal([])
      expect(await found({ where: [{ key, oneOf: wrong }] })).to.deep.equal([])
    }
    expect(await found({ where: [{ key: 'title', oneOf: [1, 'a', {}, true] }] })).to.deep.equal([0, 2])
  })

  it('one of a hundred, and of a thousand', async () => {
    const found = await insertAll(stage, values)
    const many = (length: number): Json[] => Array.from({ length }, (_, i) => `${i}`)
    expect(await found({ where: [{ key: 'title', oneOf: [...many(99), 'a'] }] })).to.deep.equal([0, 2])
    expect(await found({ where: [{ key: 'title', oneOf: ['c', ...many(999)] }] })).to.deep.equal([3])
  })

  it('a document as it is now, not as it was', async () => {
    const { store, instance } = stage
    const place = instance()
    const found = async (equals: string) =>
      idsOf(
        (await right(store().find('things', place, { ...all, where: [{ key: 'title', equals }] }))).documents,
      )
    await right(store().insert('things', place, { id: 'a', unique: null, value: { title: 'old' } }))
    await right(
      store().replace('things', place, { id: 'a', unique: null, version: 1, value: { title: 'new' } }),
    )
    expect([await found('old'), await found('new')]).to.deep.equal([[], ['a']])
    await right(store().remove('things', place, 'a', 2))
    expect(await found('new')).to.deep.equal([])
  })

  it('skip and limit cut the result, and next is null where nothing follows', async () => {
    const { store, instance } = stage
    const place = instance()
    for (let i = 0; i < 5; i++)
      await right(store().insert('things', place, { id: `${i}`, unique: null, value: { rank: -i } }))
    for (const [skip, limit] of [
      [0, 5],
      [0, 4],
      [2, 2],
      [4, 1],
      [5, 3],
      [99, 1],
      [0, 1000],
      [3, 1],
    ] as const) {
      for (const order of [[], [asc('rank')], [desc('rank')]]) {
        const page = await right(store().find('things', place, { ...all, order, skip, limit }))
        const ordered = ['0', '1', '2', '3', '4']
        const expected = order[0]?.direction === 'asc' ? ordered.toReversed() : ordered
        expect(idsOf(page.documents)).to.deep.equal(expected.slice(skip, skip + limit))
        expect(page.next === null, `next at ${skip}, ${limit}`).to.equal(skip + limit >= 5)
      }
    }
  })
}

const absentValues = (stage: Stage): void => {
  // The three shapes of one value, for each key, beside documents that hold something.
  const held = { title: '\u0001', kind: ' ', rank: -Number.MAX_VALUE, open: false }
  const values = [
    held,
    {},
    { title: null, kind: null, rank: null, open: null },
    { title: '', kind: '' },
    held,
  ]
  const none = [1, 2, 3]

  for (const key of ['title', 'rank', 'open']) {
    it(`equals and one of: ${key}`, async () => {
      const found = await insertAll(stage, values)
      expect(await found({ where: [{ key, equals: null }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, equals: '' }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, oneOf: [null] }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, oneOf: ['', null] }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, oneOf: [null, held[key as keyof typeof held]] }] })).to.deep.equal([
        0, 1, 2, 3, 4,
      ])
    })
    it(`first where the order is asc, last where it is desc: ${key}`, async () => {
      const found = await insertAll(stage, values)
      expect(await found({ order: [asc(key)] })).to.deep.equal([1, 2, 3, 0, 4])
      expect(await found({ order: [desc(key)] })).to.deep.equal([0, 4, 1, 2, 3])
    })
  }

  it('an upper bound lets it in, a lower bound keeps it out', async () => {
    const found = await insertAll(stage, values)
    expect(await found({ where: [{ key: 'title', below: 'a' }] })).to.deep.equal([0, 1, 2, 3, 4])
    expect(await found({ where: [{ key: 'title', below: '\u0001' }] })).to.deep.equal(none)
    expect(await found({ where: [{ key: 'rank', atMost: 0 }] })).to.deep.equal([0, 1, 2, 3, 4])
    expect(await found({ where: [{ key: 'rank', below: -Number.MAX_VALUE }] })).to.deep.equal(none)
    expect(await found({ where: [{ key: 'title', atLeast: '\u0001' }] })).to.deep.equal([0, 4])
    expect(await found({ where: [{ key: 'title', above: '\u0001' }] })).to.deep.equal([])
    expect(await found({ where: [{ key: 'rank', atLeast: -Number.MAX_VALUE, atMost: 0 }] })).to.deep.equal([
      0, 4,
    ])
  })

  it('the empty text as a bound', async () => {
    const found = await insertAll(stage, values)
    expect(await found({ where: [{ key: 'title', atMost: '' }] })).to.deep.equal(none)
    expect(await found({ where: [{ key: 'title', below: '' }] })).to.deep.equal([])
    expect(await found({ where: [{ key: 'title', atLeast: '' }] })).to.deep.equal([0, 1, 2, 3, 4])
    expect(await found({ where: [{ key: 'title', above: '' }] })).to.deep.equal([0, 4])
  })

  it('a list or object under a key is no value either', async () => {
    const found = await insertAll(stage, [
      { title: ['a'] },
      { title: 'a' },
      { title: { a: 'a' } },
      { rank: [1] },
      { rank: 1 },
    ])
    expect(await found({ where: [{ key: 'title', equals: 'a' }] })).to.deep.equal([1])
    expect(await found({ order: [asc('title')] })).to.deep.equal([0, 2, 3, 4, 1])
    expect(await found({ order: [desc('rank')] })).to.deep.equal([4, 0, 1, 2, 3])
  })

  it('and it is read back as it was written', async () => {
    const place = stage.instance()
    for (const value of values) await stage.insert(place, value)
    const { documents } = await right(stage.store().find('things', place, all))
    expect(documents.map(({ value }) => value)).to.deep.equal(values)
  })
}

/** Declares the tests of filters. */
export const filters = (stage: Stage): void => {
  describe(sentences.exact, () => exactFilters(stage))
  describe(sentences.absent, () => absentValues(stage))
}
