/** Tests of filters. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Document, Filter, Query } from '@publishing-service/ports'
import { asc, desc, insertAll, insertIntoAll } from './insert-all.js'
import { sentences } from './sentences.js'
import { all, idsOf, type Stage, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'

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
    ['text that no document has', [{ key: 'title', equals: 'A' }], []],
    ['number that equals', [{ key: 'rank', equals: 0.1 }], [3]],
    ['true', [{ key: 'open', equals: true }], [0, 2]],
    ['false, which is not absent', [{ key: 'open', equals: false }], [1]],
    ['one of some', [{ key: 'title', oneOf: ['c', 'b', 'absent'] }], [1, 3]],
    ['one of one', [{ key: 'rank', oneOf: [2] }], [1]],
    ['one of a list with duplicates', [{ key: 'title', oneOf: ['b', 'b', 'b'] }], [1]],
    ['one of none', [{ key: 'title', oneOf: [] }], []],
    ['one of both booleans', [{ key: 'open', oneOf: [true, false] }], [0, 1, 2]],
    ['at least', [{ key: 'rank', atLeast: 2 }], [1, 2]],
    ['at least, text', [{ key: 'title', atLeast: 'b' }], [1, 3]],
    ['at least and below', [{ key: 'rank', atLeast: 1, below: 3 }], [0, 1]],
    ['at least and at most', [{ key: 'title', atLeast: 'a', atMost: 'b' }], [0, 1, 2]],
    ['above', [{ key: 'rank', above: 1 }], [1, 2]],
    ['above, text', [{ key: 'title', above: 'a' }], [1, 3]],
    ['above a text that no document has', [{ key: 'title', above: 'aa' }], [1, 3]],
    ['above and below', [{ key: 'rank', above: 0.1, below: 2 }], [0]],
    ['above and at least', [{ key: 'rank', above: 1, atLeast: 1 }], [1, 2]],
    ['an empty range', [{ key: 'rank', atLeast: 3, below: 3 }], []],
    ['a range without bounds', [{ key: 'rank' }], [0, 1, 2, 3, 4]],
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

  it('values of another type than the key', async () => {
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

  it('the current document, not an earlier version', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const found = async (equals: string) =>
      idsOf(
        (await valueOf(store().find('things', instance, { ...all, where: [{ key: 'title', equals }] })))
          .documents,
      )
    await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value: { title: 'old' } }),
    )
    await valueOf(
      changes(store()).replace('things', instance, {
        id: 'a',
        unique: null,
        version: 1,
        value: { title: 'new' },
      }),
    )
    expect([await found('old'), await found('new')]).to.deep.equal([[], ['a']])
    await valueOf(changes(store()).remove('things', instance, 'a', 2))
    expect(await found('new')).to.deep.equal([])
  })

  it('skip and limit cut the result, and next is null if nothing follows', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    for (let i = 0; i < 5; i++)
      await valueOf(
        changes(store()).insert('things', instance, { id: `${i}`, unique: null, value: { rank: -i } }),
      )
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
        const page = await valueOf(store().find('things', instance, { ...all, order, skip, limit }))
        const ordered = ['0', '1', '2', '3', '4']
        const expected = order[0]?.direction === 'asc' ? ordered.toReversed() : ordered
        expect(idsOf(page.documents)).to.deep.equal(expected.slice(skip, skip + limit))
        expect(page.next === null, `next at ${skip}, ${limit}`).to.equal(skip + limit >= 5)
      }
    }
  })
}

const whileDocumentsLeave = ({ store, insert, newInstance }: Stage): void => {
  it('while documents leave its filter and come back', async () => {
    const instance = newInstance()
    const value = (kind: string): JsonObject => ({ kind, tags: [kind], rank: 1, content: kind.repeat(4000) })
    const documents: Document[] = []
    for (let i = 0; i < 40; i++) documents.push(await insert(instance, value('x')))
    let writing = true
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let i = 0; i < 20; i++) {
        const { id } = documents[writer * 10 + (i % 10)] ?? documents[0] ?? { id: '' }
        const version = 1 + Math.floor(i / 10)
        const kind = version % 2 === 1 ? 'y' : 'x'
        await valueOf(
          changes(store()).replace('things', instance, { id, unique: null, version, value: value(kind) }),
        )
        await new Promise(setImmediate)
      }
    })
    const queries = (['light', 'full'] as const).flatMap((detail): readonly Query[] => [
      { ...all, detail, where: [{ key: 'kind', equals: 'x' }], order: [asc('rank')] },
      { ...all, detail, where: [{ key: 'tags', has: 'x' }] },
    ])
    const readers = queries.map(async (query) => {
      const find = (each: Query) => store().find('things', instance, each)
      for (let reads = 0; writing || reads === 0; reads++) {
        for (const page of await walk(find, { ...query, limit: 15 }))
          for (const { value: found, version } of page.documents)
            expect(found).to.deep.include({ kind: 'x', tags: ['x'], rank: 1 }, `version ${version}`)
        await new Promise(setImmediate)
      }
    })
    const written = Promise.all(writers).finally(() => (writing = false))
    await Promise.all([written, ...readers])
  })
}

const absentValues = (stage: Stage): void => {
  // The three forms of the absent value for each key, and documents with values.
  const present = { title: '\u0001', kind: ' ', rank: -Number.MAX_VALUE, open: false }
  const values = [
    present,
    {},
    { title: null, kind: null, rank: null, open: null },
    { title: '', kind: '' },
    present,
  ]
  const none = [1, 2, 3]

  for (const key of ['title', 'rank', 'open']) {
    it(`equals and one of: ${key}`, async () => {
      const found = await insertAll(stage, values)
      expect(await found({ where: [{ key, equals: null }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, equals: '' }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, oneOf: [null] }] })).to.deep.equal(none)
      expect(await found({ where: [{ key, oneOf: ['', null] }] })).to.deep.equal(none)
      expect(
        await found({ where: [{ key, oneOf: [null, present[key as keyof typeof present]] }] }),
      ).to.deep.equal([0, 1, 2, 3, 4])
    })
    it(`first in ascending, last in descending order: ${key}`, async () => {
      const found = await insertAll(stage, values)
      expect(await found({ order: [asc(key)] })).to.deep.equal([1, 2, 3, 0, 4])
      expect(await found({ order: [desc(key)] })).to.deep.equal([4, 0, 3, 2, 1])
    })
  }

  it('an upper bound includes it, a lower bound excludes it', async () => {
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

  it('a list or object counts as absent', async () => {
    const found = await insertAll(stage, [
      { title: ['a'] },
      { title: 'a' },
      { title: { a: 'a' } },
      { rank: [1] },
      { rank: 1 },
    ])
    expect(await found({ where: [{ key: 'title', equals: 'a' }] })).to.deep.equal([1])
    expect(await found({ order: [asc('title')] })).to.deep.equal([0, 2, 3, 4, 1])
    expect(await found({ order: [desc('rank')] })).to.deep.equal([4, 3, 2, 1, 0])
  })

  it('it is read back as it was written', async () => {
    const instance = stage.newInstance()
    for (const value of values) await stage.insert(instance, value)
    const { documents } = await valueOf(stage.store().find('things', instance, all))
    expect(documents.map(({ value }) => value)).to.deep.equal(values)
  })
}

const namedDocuments = (stage: Stage): void => {
  const found = insertIntoAll(
    stage,
    Array.from({ length: 8 }, (_, i) => ({ rank: i % 3, kind: i % 2 === 0 ? 'x' : 'y', tags: ['a'] })),
  )
  const x: Filter = { key: 'kind', equals: 'x' }
  const cases: readonly (readonly [string, Partial<Query>, readonly number[]])[] = [
    ['some, in the order of insertion', { ids: ['5', '1', '3', '1'] }, [1, 3, 5]],
    ['some, in another order', { ids: ['5', '1', '3'], order: [desc('rank')] }, [5, 1, 3]],
    ['ids of no document', { ids: ['1', '1 ', '', '01', '9', '\ud800'] }, [1]],
    ['no id', { ids: [] }, []],
    ['some that meet a filter', { ids: ['1', '2', '4'], where: [x] }, [2, 4]],
    ['some with a text', { ids: ['1', '2'], where: [{ key: 'tags', has: 'a' }] }, [1, 2]],
    ['all but some', { notIds: ['0', '5', '9', '5'] }, [1, 2, 3, 4, 6, 7]],
    ['all but none', { notIds: [], where: [x] }, [0, 2, 4, 6]],
    ['all but some, in an order', { notIds: ['0', '6'], where: [x], order: [asc('rank')] }, [4, 2]],
    ['some but others', { ids: ['1', '2', '3'], notIds: ['2', '7'] }, [1, 3]],
    ['1000 ids', { ids: Array.from({ length: 1000 }, (_, i) => `${i + 5}`) }, [5, 6, 7]],
    ['all but 1000', { notIds: Array.from({ length: 1000 }, (_, i) => `${i + 5}`) }, [0, 1, 2, 3, 4]],
  ]
  for (const [name, query, expected] of cases)
    it(name, async () => expect(await found(query)).to.deep.equal(expected))

  it('not those of other instances', async () => {
    const elsewhere = await insertAll(stage, [{}])
    expect(await elsewhere({ ids: ['0', '1'] })).to.deep.equal([0])
    expect(await elsewhere({ notIds: ['1'] })).to.deep.equal([0])
  })
}

/** Declares the tests of filters. */
export const filters = (stage: Stage): void => {
  describe(sentences.exact, () => {
    exactFilters(stage)
    whileDocumentsLeave(stage)
  })
  describe(sentences.ids, () => namedDocuments(stage))
  describe(sentences.absent, () => absentValues(stage))
}
