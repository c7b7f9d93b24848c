/** Tests of following the cursors of a result. */
import { changes } from './changes.js'
import { before, describe, it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Order, Query } from '@publishing-service/ports'
import { sampleFrom, sampleTitle } from '../extent.js'
import { expectedResult } from './query-model.js'
import { queryProperty, textsQueryProperty } from './query-property.js'
import { sentences } from './sentences.js'
import { all, idsOf, type Stage, things, walk } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** Equal values, absent values of every key, and texts below and above U+FFFF. */
const mixed = (i: number): JsonObject => ({
  title: ['\uffff', '😀', null, 'a', 'a', '', 'b'][i % 7] ?? null,
  ...(i % 3 === 0 ? {} : { rank: [0, 1, 1, 2, null][i % 5] ?? null }),
  ...(i % 4 === 0 ? {} : { open: [true, false, null][i % 3] ?? null }),
  kind: i % 11 === 0 ? null : 'x',
})

const key = (name: string, direction: Order['direction'] = 'asc'): Order => ({ key: name, direction })

const orders: readonly (readonly Order[])[] = [
  [],
  ...['title', 'rank', 'open', 'kind'].flatMap((name) => [[key(name)], [key(name, 'desc')]]),
  [key('title'), key('rank')],
  [key('title', 'desc'), key('rank', 'desc')],
  [key('title'), key('rank', 'desc')],
  [key('rank', 'desc'), key('title')],
  [key('open', 'desc'), key('title'), key('rank', 'desc')],
  [key('kind'), key('open'), key('rank'), key('title', 'desc')],
  [key('title'), key('title', 'desc')],
]

const sampled = 3
const walks = sampleFrom(orders, sampled)
const ofOrders = sampleTitle(sampled, orders.length)

const nameOf = (order: readonly Order[]): string =>
  order.map(({ key: name, direction }) => `${name} ${direction}`).join(', ') || 'insertion'

const eachOnce = (stage: Stage): void => {
  const { store, newInstance, insert } = stage
  const count = 36
  let filled = 0
  const documents: { readonly id: string; readonly value: JsonObject }[] = []
  before(async () => {
    filled = newInstance()
    for (let i = 0; i < count; i += 1) documents.push(await insert(filled, mixed(i)))
  })
  const find = (query: Query) => store().find('things', filled, query)

  it(`in every order, with pages that end between equal or absent values${ofOrders}`, async () => {
    for (const order of walks) {
      for (const limit of [1, 4, 7, count]) {
        const query: Query = { ...all, order, limit }
        const pages = await walk(find, query)
        const expected = expectedResult(things, documents, query).map(({ id }) => id)
        expect(
          pages.flatMap((page) => idsOf(page.documents)),
          `${nameOf(order)} by ${limit}`,
        ).to.deep.equal(expected)
        expect(pages.length, `pages of ${nameOf(order)} by ${limit}`).to.equal(Math.ceil(count / limit))
      }
    }
  })

  it(`with filters, in both details${ofOrders}`, async () => {
    const wheres: readonly Query['where'][] = [
      [{ key: 'kind', equals: 'x' }],
      [{ key: 'kind', equals: null }],
      [
        { key: 'kind', equals: 'x' },
        { key: 'open', equals: false },
      ],
      [{ key: 'title', oneOf: ['a', null, '😀'] }],
      [{ key: 'rank', atMost: 1 }],
      [
        { key: 'title', atLeast: 'a' },
        { key: 'rank', below: 2 },
      ],
    ]
    for (const where of wheres) {
      for (const order of walks) {
        const query: Query = {
          ...all,
          where,
          order,
          limit: 5,
          detail: order.length % 2 === 0 ? 'light' : 'full',
        }
        const ids = (await walk(find, query)).flatMap((page) => idsOf(page.documents))
        const expected = expectedResult(things, documents, query).map(({ id }) => id)
        expect(ids, `${nameOf(order)} where ${JSON.stringify(where)}`).to.deep.equal(expected)
      }
    }
  })

  it('the next page is the same after the last document of the page was changed or removed', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const instance = newInstance()
      const ids: string[] = []
      for (let i = 0; i < 6; i++) ids.push((await insert(instance, { rank: 1 })).id)
      const query: Query = { ...all, order: [key('rank', direction)], limit: 2 }
      const first = await valueOf(store().find('things', instance, query))
      const expected = direction === 'asc' ? ids : ids.toReversed()
      await valueOf(changes(store()).remove('things', instance, expected[1] ?? '', 1))
      await valueOf(
        changes(store()).replace('things', instance, {
          id: expected[0] ?? '',
          unique: null,
          version: 1,
          value: { rank: 1, title: 'a' },
        }),
      )
      const second = await valueOf(store().find('things', instance, { ...query, after: first.next }))
      expect(idsOf(second.documents)).to.deep.equal(expected.slice(2, 4))
    }
  })

  queryProperty(stage)
}

const ofThousands = ({ store, newInstance }: Stage): void => {
  describe('of 3000 documents', function () {
    this.timeout(120_000)
    const ids = Array.from({ length: 3000 }, (_, i) => `${i}`)
    const rankOf = (id: string): number => Number(id) % 500
    let instance = 0
    before(async () => {
      instance = newInstance()
      for (let i = 0; i < ids.length; i += 100) {
        const batch = ids
          .slice(i, i + 100)
          .map((id) => ({ id, unique: null, value: { rank: rankOf(id), title: 'same' } }))
        await Promise.all(
          batch.map((document) => valueOf(changes(store()).insert('things', instance, document))),
        )
      }
    })
    const find = (query: Query) => store().find('things', instance, query)

    it('a range that many are in, in every order of insertion', async () => {
      const where = [{ key: 'rank', atLeast: 100, below: 300 }]
      const expected = ids.filter((id) => rankOf(id) >= 100 && rankOf(id) < 300)
      for (const insertion of ['asc', 'desc'] as const) {
        const pages = await walk(find, { ...all, where, insertion, limit: 500, detail: 'light' })
        const found = pages.flatMap((page) => idsOf(page.documents))
        expect(found).to.have.members(expected)
        const positions = pages.flatMap(({ documents }) => documents.map(({ position }) => position))
        expect(positions).to.deep.equal(positions.toSorted((a, b) => (insertion === 'asc' ? a - b : b - a)))
      }
    })
  })
}

const limitedInBytes = ({ store, newInstance, insert }: Stage): void => {
  const bytesOf = (values: readonly JsonObject[]): number =>
    values.reduce((sum, value) => sum + JSON.stringify(value).length, 0)

  for (const detail of ['light', 'full'] as const)
    it(`in the ${detail} detail, with any limit, each document once`, async () => {
      const instance = newInstance()
      const ids: string[] = []
      for (let i = 0; i < 12; i++)
        ids.push((await insert(instance, { note: 't'.repeat(500 + 300 * (i % 4)), rank: i % 3 })).id)
      const find = (query: Query) => store().find('things', instance, query)
      for (const order of [[], [key('rank', 'desc')]]) {
        for (const bytes of [1, 2000, 4000, 1_000_000]) {
          const query: Query = { ...all, order, detail, limit: 10, bytes }
          const pages = await walk(find, query)
          expect(pages.flatMap((page) => idsOf(page.documents)).toSorted()).to.deep.equal(ids.toSorted())
          for (const { documents, next } of pages) {
            const values = documents.map(({ value }) => value)
            expect(values.length).to.be.within(1, 10)
            expect(bytesOf(values.slice(0, -1))).to.be.below(bytes)
            // A store may also count the bytes around the attributes.
            if (next !== null && values.length < 10)
              expect(bytesOf(values) + 20 * values.length).to.be.at.least(bytes)
          }
        }
      }
    })
}

/** Declares the tests of cursors. */
export const paging = (stage: Stage): void => {
  describe(sentences.walk, () => {
    eachOnce(stage)
    ofThousands(stage)
  })
  describe(sentences.textsQuery, () => textsQueryProperty(stage))
  describe(sentences.limitedInBytes, () => limitedInBytes(stage))
}
