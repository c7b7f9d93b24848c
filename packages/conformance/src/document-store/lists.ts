/** Tests of filters on the texts of a list, and of alternatives. */
import { changes } from './changes.js'
import { before, describe, it } from 'mocha'
import { expect } from 'chai'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { TextRange } from '@publishing-service/domain/filters'
import type { Filter, Query } from '@publishing-service/ports'
import { sampleFrom, sampleTitle } from '../extent.js'
import { asc, desc, insertAll, insertIntoAll } from './insert-all.js'
import { expectedResult } from './query-model.js'
import { sentences } from './sentences.js'
import { all, idsOf, type Stage, things, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { textsInOrder } from './texts.js'

type Case = readonly [string, readonly Filter[], readonly number[]]

const has = (text: string, key = 'tags'): { readonly key: string; readonly has: string } => ({
  key,
  has: text,
})

const values: readonly JsonObject[] = [
  { tags: ['a', 'b'], kind: 'x', rank: 1 },
  { tags: ['b'], kind: 'y', rank: 3 },
  { tags: ['a', 'a', 'b', 'a'], kind: 'x', rank: 2 },
  { tags: [], kind: 'x', rank: 4 },
  { rank: 5 },
  { tags: null },
  { tags: 'a', places: 'a' },
  { tags: { a: 'a', 0: 'a' } },
  { tags: [['a'], { a: 'a' }, 1, true, null, ''], places: [['a'], ''] },
  { tags: ['A', 'ab', 'a ', ' a', 'a\u0301', '["a"]'] },
  { tags: [1, null, 'a', ['b'], ''], places: ['p', 'a', 'p'], kind: 'y', rank: 0 },
]

const declareCases = (stage: Stage, cases: readonly Case[]): void => {
  const found = insertIntoAll(stage, values)
  for (const [name, where, expected] of cases) {
    it(name, async () => {
      expect(await found({ where })).to.deep.equal(expected)
      expect(await found({ where, order: [desc('rank')] })).to.deep.equal(
        expectedResult(
          things,
          values.map((value, i) => ({ id: `${i}`, value })),
          { where, order: [desc('rank')] },
        ).map(({ id }) => Number(id)),
      )
    })
  }
}

const textFilters = (stage: Stage): void => {
  declareCases(stage, [
    ['a text among others, also if it is in the list twice', [has('a')], [0, 2, 10]],
    ['another text', [has('b')], [0, 1, 2]],
    ['a text that no document has', [has('c')], []],
    ['the empty text, which no list contains', [has('')], []],
    ['a number as text', [has('1')], []],
    ['true as text', [has('true')], []],
    ['null as text', [has('null')], []],
    ['a text in upper case', [has('A')], [9]],
    ['a text that begins with another’s', [has('ab')], [9]],
    ['a text with a trailing space', [has('a ')], [9]],
    ['a text in another normal form', [has('á')], []],
    ['a text that looks like a list', [has('["a"]')], [9]],
    ['two texts of one list', [has('a'), has('b')], [0, 2]],
    ['one text twice', [has('b'), has('b')], [0, 1, 2]],
    ['texts of two lists', [has('a'), has('p', 'places')], [10]],
    ['a text of a list among heavy attributes', [has('a', 'places')], [10]],
    ['none of one text', [{ key: 'tags', hasNone: ['a'] }], [1, 3, 4, 5, 6, 7, 8, 9]],
    ['none of two texts', [{ key: 'tags', hasNone: ['A', 'b', 'b'] }], [3, 4, 5, 6, 7, 8, 10]],
    ['none of no text', [{ key: 'tags', hasNone: [] }], values.map((_, i) => i)],
    ['none of texts that no list contains', [{ key: 'tags', hasNone: ['', 'c'] }], values.map((_, i) => i)],
    ['a text, and none of another', [has('a'), { key: 'tags', hasNone: ['b'] }], [10]],
    [
      'none of the texts of two lists',
      ['tags', 'places'].map((key) => ({ key, hasNone: ['a'] })),
      [1, 3, 4, 5, 6, 7, 8, 9],
    ],
    ['a text and a value', [has('a'), { key: 'kind', equals: 'x' }], [0, 2]],
    ['a value and a text', [{ key: 'kind', equals: 'y' }, has('b')], [1]],
    ['a text and one of several values', [has('b'), { key: 'rank', oneOf: [1, 3, 7] }], [0, 1]],
    ['a text and a range', [has('a'), { key: 'rank', above: 0, atMost: 2 }], [0, 2]],
    ['a text and a value of another type than the key', [has('a'), { key: 'rank', equals: 'a' }], []],
  ])

  it('texts of many scripts, and 500 texts in one list', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    const found = await insertAll(stage, [...textsInOrder.map((text) => ({ tags: [text] })), { tags: many }])
    for (const [i, text] of textsInOrder.entries())
      expect(await found({ where: [has(text)] }), JSON.stringify(text)).to.deep.equal([i])
    for (const i of [0, 250, 499])
      expect(await found({ where: [has(`text ${i}`)] })).to.deep.equal([textsInOrder.length])
  })

  it('the current list, not an earlier version', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const found = async (text: string) =>
      idsOf((await valueOf(store().find('things', instance, { ...all, where: [has(text)] }))).documents)
    const lists: readonly JsonObject[] = [
      { tags: ['a', 'b'] },
      { tags: ['b', 'c', 'c'] },
      { tags: 'a' },
      { tags: ['a'], kind: 'x' },
      { tags: ['a'], kind: 'y' },
      {},
      { tags: ['c', 'b'] },
    ]
    await valueOf(changes(store()).insert('things', instance, { id: 'a', unique: null, value: {} }))
    for (const [i, value] of lists.entries()) {
      await valueOf(
        changes(store()).replace('things', instance, { id: 'a', unique: null, version: i + 1, value }),
      )
      for (const text of ['a', 'b', 'c']) {
        const list = Array.isArray(value['tags']) ? value['tags'] : []
        expect(await found(text), `${text} in state ${i}`).to.deep.equal(list.includes(text) ? ['a'] : [])
      }
    }
    await valueOf(changes(store()).remove('things', instance, 'a', lists.length + 1))
    expect([await found('b'), await found('c')]).to.deep.equal([[], []])
    await valueOf(
      changes(store()).insert('things', instance, { id: 'a', unique: null, value: { tags: ['b'] } }),
    )
    expect([await found('b'), await found('c')]).to.deep.equal([['a'], []])
  })

  it('only lists of the instance and collection', async () => {
    const { store, newInstance, insert } = stage
    const [here, there] = [newInstance(), newInstance()]
    const { id } = await insert(here, { tags: ['a'] })
    await insert(there, { tags: ['a', 'b'] })
    await insert(here, { tags: ['a', 'b'] }, 'others')
    const found = async (text: string) =>
      idsOf((await valueOf(store().find('things', here, { ...all, where: [has(text)] }))).documents)
    expect([await found('a'), await found('b')]).to.deep.equal([[id], []])
  })
}

/** Equal values, absent values and both lists. Every document except each fifth has the tag `t`. */
const tagged = (i: number): JsonObject => ({
  tags: i % 5 === 0 ? ['u'] : i % 2 === 0 ? ['t', 'u', 't'] : ['s', 't'],
  places: [`${i % 3}`],
  title: ['\uffff', '😀', null, 'a', 'a', '', 'b'][i % 7] ?? null,
  rank: [0, 1, 1, 2, null][i % 4] ?? null,
  kind: i % 11 === 0 ? null : 'x',
})

const pagesByText = (stage: Stage): void => {
  const { store, newInstance, insert } = stage
  const allOrders: readonly Query['order'][] = [
    [],
    ...['title', 'rank', 'kind', 'open'].flatMap((key) => [[asc(key)], [desc(key)]]),
    [asc('kind'), asc('rank')],
    [asc('kind'), desc('rank')],
    [desc('title'), desc('rank')],
  ]
  const sampled = 2
  const orders = sampleFrom(allOrders, sampled)
  const ofOrders = sampleTitle(sampled, allOrders.length)
  const wheres: readonly Query['where'][] = [
    [has('t')],
    [has('t'), { key: 'kind', equals: 'x' }],
    [{ key: 'rank', above: 0 }, has('t')],
    [has('t'), { key: 'title', atMost: 'a' }],
    [has('t'), has('u')],
    [has('t'), has('1', 'places')],
    [{ key: 'tags', hasNone: ['s'] }],
    [{ key: 'tags', hasIn: { atLeast: 't', below: 'u' } }],
    // Lists with texts on both sides of the range do not meet it.
    [{ key: 'tags', hasIn: { atLeast: 'sa', below: 't' } }],
    [{ anyOf: [[has('u')], [has('s'), { key: 'rank', equals: 1 }]] }],
    [has('t'), { anyOf: [[{ key: 'kind', equals: null }], [has('2', 'places')]] }],
    // Documents with two of the texts are found once.
    [{ anyOf: [[has('t')], [has('u')], [has('v')]] }],
    [{ anyOf: [[has('u')], [has('s')]] }, { key: 'kind', equals: 'x' }],
    [{ anyOf: [[has('u')], [has('t')]] }, { anyOf: [[has('0', 'places')], [has('2', 'places')]] }],
  ]
  let instance = 0
  const documents: { readonly id: string; readonly value: JsonObject }[] = []
  before(async () => {
    instance = newInstance()
    for (let i = 0; i < 24; i++) documents.push(await insert(instance, tagged(i)))
  })
  const find = (query: Query) => store().find('things', instance, query)
  for (const where of wheres) {
    it(`in every order, by cursor and by skip: ${JSON.stringify(where)}${ofOrders}`, async () => {
      for (const [i, order] of orders.entries()) {
        const query: Query = { ...all, where, order, limit: 4, detail: i % 2 === 0 ? 'light' : 'full' }
        const expected = expectedResult(things, documents, query).map(({ id }) => id)
        const pages = await walk(find, query)
        const name = JSON.stringify(order)
        expect(
          pages.flatMap((page) => idsOf(page.documents)),
          name,
        ).to.deep.equal(expected)
        const next = pages[0]?.next ?? null
        for (const skip of [1, 6, 24]) {
          const fromStart = await valueOf(find({ ...query, skip }))
          expect(idsOf(fromStart.documents), `${name} skip ${skip}`).to.deep.equal(
            expected.slice(skip, skip + 4),
          )
          if (next === null) continue
          const following = await valueOf(find({ ...query, skip, after: next }))
          expect(idsOf(following.documents), `${name} after 4, skip ${skip}`).to.deep.equal(
            expected.slice(4 + skip, 8 + skip),
          )
        }
      }
    })
  }
}

const intervals = (stage: Stage): void => {
  const listsOfIntervals: readonly Json[] = [
    ['1 3'],
    ['2 5', '0 1'],
    ['4 6'],
    ['3'],
    ['2 2'],
    ['5 9', '1 2'],
    [' 9'],
    '2 5',
    ['3 '],
    ['1 20', '2 1'],
  ]
  const found = insertIntoAll(
    stage,
    listsOfIntervals.map((places) => ({ places })),
  )
  const cases: readonly (readonly [string, TextRange, readonly number[]])[] = [
    ['a start and an end on both sides', { atLeast: '', below: '4', endsAbove: '3' }, [1, 6]],
    ['a start in the range', { atLeast: '2', below: '5', endsAbove: '' }, [1, 2, 4, 9]],
    ['an end that is the bound', { atLeast: '', below: '9', endsAbove: '9' }, []],
    [
      'ends by code point, not by number',
      { atLeast: '', below: '9', endsAbove: '19' },
      [0, 1, 2, 4, 5, 6, 9],
    ],
    ['no end above', { atLeast: '', below: '9', endsAbove: 'a' }, []],
    ['without a bound of the end, also texts without one', { atLeast: '3', below: '4' }, [3, 8]],
  ]
  for (const [name, hasIn, expected] of cases)
    it(name, async () => {
      expect(await found({ where: [{ key: 'places', hasIn }] })).to.deep.equal(expected)
      const query = { where: [{ key: 'places', hasIn }], order: [desc('rank')] }
      expect(await found(query)).to.deep.equal(expected.toReversed())
    })
}

const alternatives = (stage: Stage): void => {
  const x: Filter = { key: 'kind', equals: 'x' }
  declareCases(stage, [
    ['no group', [{ anyOf: [] }], []],
    ['no group, and another filter', [x, { anyOf: [] }], []],
    ['an empty group, which every document meets', [{ anyOf: [[]] }], values.map((_, i) => i)],
    ['an empty group among others', [x, { anyOf: [[has('c')], []] }], [0, 2, 3]],
    ['one group of one filter', [{ anyOf: [[x]] }], [0, 2, 3]],
    ['one group of two filters', [{ anyOf: [[x, { key: 'rank', above: 1 }]] }], [2, 3]],
    ['two groups', [{ anyOf: [[x], [{ key: 'rank', equals: 5 }]] }], [0, 2, 3, 4]],
    [
      'groups that the same documents meet',
      [{ anyOf: [[x], [{ key: 'rank', below: 3 }], [x]] }],
      [0, 2, 3, 5, 6, 7, 8, 9, 10],
    ],
    ['groups over texts', [{ anyOf: [[has('A')], [has('b'), x], [has('p', 'places')]] }], [0, 2, 9, 10]],
    [
      'an absent value',
      [{ anyOf: [[{ key: 'rank', equals: null }, has('A')], [has('p', 'places')]] }],
      [9, 10],
    ],
    [
      'one of several values, and one of none',
      [{ anyOf: [[{ key: 'rank', oneOf: [1, 4] }], [{ key: 'kind', oneOf: [] }]] }],
      [0, 3],
    ],
    [
      'none of some texts in a group',
      [{ anyOf: [[{ key: 'tags', hasNone: ['b'] }, x], [has('A')]] }],
      [3, 9],
    ],
    [
      'two alternatives',
      [{ anyOf: [[x], [has('b')]] }, { anyOf: [[{ key: 'rank', atLeast: 3 }], [has('a')]] }],
      [0, 1, 2, 3],
    ],
    [
      'a group that no document can meet',
      [{ anyOf: [[{ key: 'rank', equals: 'a' }, x], [{ key: 'rank', equals: 3 }]] }],
      [1],
    ],
    ['only groups that no document can meet', [{ anyOf: [[{ key: 'rank', equals: 'a' }], [has('')]] }], []],
    ['a range without bounds in a group', [{ anyOf: [[{ key: 'rank' }, x]] }], [0, 2, 3]],
  ])
}

/** Declares the tests of lists and alternatives. */
export const lists = (stage: Stage): void => {
  describe(sentences.texts, () => {
    textFilters(stage)
    pagesByText(stage)
  })
  describe(sentences.intervals, () => intervals(stage))
  describe(sentences.alternatives, () => alternatives(stage))
}
