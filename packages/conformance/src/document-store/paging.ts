/** Tests of walking a result by its cursors. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain'
import type { Order, Page, Query } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { sampleFrom, sampleTitle } from '../extent.js'
import { expectedResult } from './query-model.js'
import { queryProperty } from './query-property.js'
import { sentences } from './sentences.js'
import { all, idsOf, right, type Stage, things, walk } from './stage.js'

/** Ties of every size, absent values in every key, and texts on both sides of the astral border. */
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

const sampled = 6
const walks = sampleFrom(orders, sampled)
const ofOrders = sampleTitle(sampled, orders.length)

const nameOf = (order: readonly Order[]): string =>
  order.map(({ key: name, direction }) => `${name} ${direction}`).join(', ') || 'insertion'

const eachOnce = (stage: Stage): void => {
  const { store, instance, insert } = stage
  const filled = async () => {
    const place = instance()
    const values = Array.from({ length: 60 }, (_, i) => mixed(i))
    const held: { readonly id: string; readonly value: JsonObject }[] = []
    for (const value of values) held.push(await insert(place, value))
    return { held, find: (query: Query) => store().find('things', place, query) }
  }

  it(`in every order, with page borders among ties and absent values${ofOrders}`, async () => {
    const { held, find } = await filled()
    for (const order of walks) {
      for (const limit of [1, 4, 7, 60]) {
        const query: Query = { ...all, order, limit }
        const pages = await walk(find, query)
        const expected = expectedResult(things, held, query).map(({ id }) => id)
        expect(
          pages.flatMap(({ documents }) => idsOf(documents)),
          `${nameOf(order)} by ${limit}`,
        ).to.deep.equal(expected)
        expect(pages.length, `pages of ${nameOf(order)} by ${limit}`).to.equal(Math.ceil(60 / limit))
      }
    }
  })

  it(`under filters, in both details${ofOrders}`, async () => {
    const { held, find } = await filled()
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
        const ids = (await walk(find, query)).flatMap(({ documents }) => idsOf(documents))
        const expected = expectedResult(things, held, query).map(({ id }) => id)
        expect(ids, `${nameOf(order)} where ${JSON.stringify(where)}`).to.deep.equal(expected)
      }
    }
  })

  it('a walk goes on where the document before it was changed or removed', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const place = instance()
      const ids: string[] = []
      for (let i = 0; i < 6; i++) ids.push((await insert(place, { rank: 1 })).id)
      const query: Query = { ...all, order: [key('rank', direction)], limit: 2 }
      const first = await right(store().find('things', place, query))
      await right(store().remove('things', place, ids[1] ?? '', 1))
      await right(
        store().replace('things', place, {
          id: ids[0] ?? '',
          unique: null,
          version: 1,
          value: { rank: 1, title: 'a' },
        }),
      )
      const second = await right(store().find('things', place, { ...query, after: first.next }))
      expect(idsOf(second.documents)).to.deep.equal(ids.slice(2, 4))
    }
  })

  queryProperty(stage)
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const evenCost = ({ store, instance }: Stage): void => {
  it('the last pages of 3000 documents cost what the first cost', async function () {
    this.timeout(120_000)
    const place = instance()
    const ids = Array.from({ length: 3000 }, (_, i) => `${i}`)
    for (let i = 0; i < ids.length; i += 100) {
      const batch = ids
        .slice(i, i + 100)
        .map((id) => ({ id, unique: null, value: { rank: Number(id) % 500, title: 'same' } }))
      await Promise.all(batch.map((document) => right(store().insert('things', place, document))))
    }
    for (const order of [[key('rank')], [key('rank', 'desc')], [key('title', 'desc')]]) {
      const times: number[] = []
      const timed = (query: Query) => async () => {
        const start = performance.now()
        const page = await store().find('things', place, query)()
        times.push(performance.now() - start)
        return page
      }
      const pages: readonly Page[] = await walk(timed, { ...all, order, limit: 50, detail: 'light' })
      expect(pages.length).to.equal(60)
      const [first, last] = [median(times.slice(0, 20)), median(times.slice(-20))]
      expect(
        last,
        `median milliseconds of the last pages by ${nameOf(order)}; the first took ${first}`,
      ).to.be.below(3 * first + 2)
    }
  })
}

const limitedInBytes = ({ store, instance, insert }: Stage): void => {
  const bytesOf = (values: readonly JsonObject[]): number =>
    values.reduce((sum, value) => sum + JSON.stringify(value).length, 0)

  for (const detail of ['light', 'full'] as const)
    it(`in the ${detail} detail, whatever the limit, and a walk gives each document once`, async () => {
      const place = instance()
      const ids: string[] = []
      for (let i = 0; i < 12; i++)
        ids.push((await insert(place, { note: 't'.repeat(500 + 300 * (i % 4)), rank: i % 3 })).id)
      const find = (query: Query) => store().find('things', place, query)
      for (const order of [[], [key('rank', 'desc')]]) {
        for (const bytes of [1, 2000, 4000, 1_000_000]) {
          const query: Query = { ...all, order, detail, limit: 10, bytes }
          const pages = await walk(find, query)
          expect(pages.flatMap(({ documents }) => idsOf(documents)).toSorted()).to.deep.equal(ids.toSorted())
          for (const { documents, next } of pages) {
            const values = documents.map(({ value }) => value)
            expect(values.length).to.be.within(1, 10)
            expect(bytesOf(values.slice(0, -1))).to.be.below(bytes)
            // What a store writes around the attributes may count too.
            if (next !== null && values.length < 10)
              expect(bytesOf(values) + 20 * values.length).to.be.at.least(bytes)
          }
        }
      }
    })
}

/** Declares the tests of cursors. */
export const paging = (stage: Stage, { unevenPages }: Deviations<'documentStore'>): void => {
  describe(sentences.walk, () => {
    eachOnce(stage)
    if (unevenPages === undefined) evenCost(stage)
  })
  describe(sentences.limitedInBytes, () => limitedInBytes(stage))
}
