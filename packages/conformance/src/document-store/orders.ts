/** Tests of the order of the documents that a query returns. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Json } from '@publishing-service/domain/json'
import type { Order } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { asc, desc, insertAll } from './insert-all.js'
import { positions } from './positions.js'
import { sentences } from './sentences.js'
import { all, idsOf, type Stage } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { numbersInOrder, textsInOrder } from './texts.js'

/** In an order that is not sorted, and is the same in every run. */
const shuffled = <A>(values: readonly A[]): readonly A[] =>
  values.map((_, i) => values[(i * 7 + 3) % values.length] as A)

const sortedValues = (stage: Stage): void => {
  const sorted = (key: string, ordered: readonly Json[]): void => {
    it(`orders and ranges of ${key}, independent of the order of insertion`, async () => {
      const values = shuffled(ordered)
      const found = await insertAll(
        stage,
        values.map((value) => ({ [key]: value })),
      )
      const valuesOf = (ids: readonly number[]) => ids.map((id) => values[id])
      expect(valuesOf(await found({ order: [asc(key)] }))).to.deep.equal(ordered)
      expect(valuesOf(await found({ order: [desc(key)] }))).to.deep.equal(ordered.toReversed())
      for (const [i, bound] of ordered.entries()) {
        expect(valuesOf(await found({ where: [{ key, equals: bound }] }))).to.deep.equal([bound])
        if (typeof bound !== 'string' && typeof bound !== 'number') continue
        const query = { order: [asc(key)] }
        expect(valuesOf(await found({ ...query, where: [{ key, atLeast: bound }] }))).to.deep.equal(
          ordered.slice(i),
        )
        expect(valuesOf(await found({ ...query, where: [{ key, above: bound }] }))).to.deep.equal(
          ordered.slice(i + 1),
        )
        expect(valuesOf(await found({ ...query, where: [{ key, below: bound }] }))).to.deep.equal(
          ordered.slice(0, i),
        )
        expect(valuesOf(await found({ ...query, where: [{ key, atMost: bound }] }))).to.deep.equal(
          ordered.slice(0, i + 1),
        )
      }
    })
  }
  sorted('title', textsInOrder)
  sorted('rank', numbersInOrder)
  sorted('open', [false, true])

  it('-0 equals 0', async () => {
    const found = await insertAll(stage, [{ rank: 0 }, { rank: -0 }, { rank: -1 }])
    expect(await found({ where: [{ key: 'rank', equals: -0 }] })).to.deep.equal([0, 1])
    expect(await found({ order: [asc('rank')] })).to.deep.equal([2, 0, 1])
    expect(await found({ where: [{ key: 'rank', atLeast: -0 }] })).to.deep.equal([0, 1])
  })

  it('several keys, each with its own direction', async () => {
    const values = [
      { title: 'b', rank: 1, open: true },
      { title: 'a', rank: 2 },
      { title: 'b', rank: 2, open: false },
      { title: 'a', rank: 1, open: true },
      { rank: 2, open: true },
      { title: 'b', open: false },
      { title: 'a', rank: 2, open: true },
    ]
    const found = await insertAll(stage, values)
    expect(await found({ order: [asc('title'), asc('rank')] })).to.deep.equal([4, 3, 1, 6, 5, 0, 2])
    expect(await found({ order: [asc('title'), desc('rank')] })).to.deep.equal([4, 1, 6, 3, 2, 0, 5])
    expect(await found({ order: [desc('title'), asc('rank')] })).to.deep.equal([5, 0, 2, 3, 6, 1, 4])
    expect(await found({ order: [desc('title'), desc('rank')] })).to.deep.equal([2, 0, 5, 6, 1, 3, 4])
    expect(await found({ order: [desc('open'), asc('title'), desc('rank')] })).to.deep.equal([
      4, 6, 3, 0, 2, 5, 1,
    ])
  })
}

const equalDocuments = (stage: Stage): void => {
  it('one value for all documents: asc, desc, and without an order', async () => {
    const values = Array.from({ length: 30 }, (_, i) => ({ title: 'same', rank: i % 3, content: `${i}` }))
    const found = await insertAll(stage, values)
    const inserted = values.map((_, i) => i)
    expect(await found({})).to.deep.equal(inserted)
    expect(await found({ order: [asc('title')] })).to.deep.equal(inserted)
    expect(await found({ order: [desc('title')] })).to.deep.equal(inserted.toReversed())
    expect(await found({ order: [desc('kind'), asc('title'), desc('open')] })).to.deep.equal(
      inserted.toReversed(),
    )
    expect(await found({ order: [asc('kind'), desc('title')] })).to.deep.equal(inserted)
    const byRank = (...ranks: number[]) => ranks.flatMap((rank) => inserted.filter((i) => i % 3 === rank))
    const descending = byRank(0, 1, 2).toReversed()
    expect(await found({ order: [desc('title'), desc('rank')] })).to.deep.equal(descending)
    expect(await found({ order: [desc('rank')], where: [{ key: 'title', equals: 'same' }] })).to.deep.equal(
      descending,
    )
    expect(
      await found({ order: [asc('title'), desc('rank')], where: [{ key: 'title', equals: 'same' }] }),
    ).to.deep.equal(byRank(2, 1, 0))
    expect(await found({ order: [asc('rank')], where: [{ key: 'rank', atLeast: 1 }] })).to.deep.equal(
      byRank(1, 2),
    )
  })

  it('a replaced document keeps its position; one that was removed and inserted again is the newest', async () => {
    const { store, newInstance } = stage
    const instance = newInstance()
    const write = (id: string) => ({ id, unique: null, value: { title: 'same' } })
    for (const id of ['c', 'a', 'b']) await valueOf(changes(store()).insert('things', instance, write(id)))
    await valueOf(changes(store()).replace('things', instance, { ...write('c'), version: 1 }))
    const found = async (direction: Order['direction']) =>
      idsOf(
        (await valueOf(store().find('things', instance, { ...all, order: [{ key: 'title', direction }] })))
          .documents,
      )
    expect([await found('asc'), await found('desc')]).to.deep.equal([
      ['c', 'a', 'b'],
      ['b', 'a', 'c'],
    ])
    await valueOf(changes(store()).remove('things', instance, 'c', 2))
    await valueOf(changes(store()).insert('things', instance, write('c')))
    expect([await found('asc'), await found('desc')]).to.deep.equal([
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ])
  })
}

/** Declares the tests of orders. */
export const orders = (stage: Stage, deviations: Deviations<'documentStore'>): void => {
  describe(sentences.ordered, () => sortedValues(stage))
  describe(sentences.ties, () => equalDocuments(stage))
  describe(sentences.positions, () => positions(stage, deviations))
}
