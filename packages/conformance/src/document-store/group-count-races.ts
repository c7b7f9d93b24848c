/** Tests that group counts are correct after concurrent writes, in one store and in two. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { append } from './appended.js'
import { changes, nextPosition } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DocumentStore } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { all, failureTags, soon, type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { expectGroupCounts, groupCountsOf } from './expect-group-counts.js'

const valueFor = (i: number): JsonObject => ({
  tags: [['a', 'b'], ['b', 'b', 'c'], [], ['a', 'd']][i % 4] ?? [],
  kind: ['x', 'y', null][i % 3] ?? null,
})

/** Many writers that read, then insert, replace or remove one of a few documents. Returns the number of conflicts. */
const writeConcurrently = async (
  stores: readonly DocumentStore[],
  instance: number,
  writers: number,
): Promise<number> => {
  let conflicts = 0
  const writer = async (number: number): Promise<void> => {
    const store = stores[number % stores.length]
    if (store === undefined) return expect.fail('no store')
    for (let step = 0; step < 8; step++) {
      const id = `${(number * 5 + step) % 7}`
      const found = await valueOf(store.get('things', instance, id))
      const next = { id, unique: null, version: found?.version ?? 0, value: valueFor(number + step) }
      const [tag] =
        found === null
          ? await failureTags([changes(store).insert('things', instance, next)])
          : (number + step) % 3 === 0
            ? await failureTags([changes(store).remove('things', instance, id, found.version)])
            : await failureTags([changes(store).replace('things', instance, next)])
      if (tag === null) continue
      expect(tag).to.equal('VersionConflict')
      conflicts++
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, i) => writer(i)))
  return conflicts
}

/** The groups of documents that have tags only. */
const groups: readonly JsonObject[] = [{}, { kind: null }, { rank: null, open: null }]

/** Declares the tests of group counts during concurrent writes. */
export const groupCountRaces = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  it('concurrent writes to the same documents', async () => {
    const instance = stage.newInstance()
    expect(await writeConcurrently([stage.store()], instance, 16), 'writes that conflicted').to.be.above(0)
    await expectGroupCounts(
      stage.store(),
      instance,
      (await valueOf(stage.store().find('things', instance, all))).documents,
    )
  })

  if (volatile === undefined)
    it('writes of another store on the same data, in sequence and concurrently', async () => {
      const second = await stage.subject().reopen([things])
      try {
        const instance = stage.newInstance()
        const stores = [stage.store(), second] as const
        for (let i = 0; i < 4; i++) {
          const [writer, reader] = i % 2 === 0 ? stores : ([stores[1], stores[0]] as const)
          await valueOf(
            changes(writer).insert('things', instance, { id: `n${i}`, unique: null, value: { tags: ['n'] } }),
          )
          expect(await groupCountsOf(reader, instance, 'tags', {})).to.deep.equal([
            { text: 'n', count: i + 1 },
          ])
        }
        // Few, so that a slow server answers each within the deadline.
        await writeConcurrently(stores, instance, 8)
        const { documents } = await valueOf(second.find('things', instance, all))
        await expectGroupCounts(second, instance, documents)
        const [one, other] = stores.map((store) => groupCountsOf(store, instance, 'tags', {}))
        expect(await one).to.deep.equal(await other)
      } finally {
        await second.close()
      }
    })

  it('of a document that a reader sees while its texts are counted', async () => {
    const instance = stage.newInstance()
    const document = { id: 'a', unique: null, value: {} }
    await valueOf(changes(stage.store()).insert('things', instance, document))
    const tags = Array.from({ length: 1500 }, (_, i) => `${i}`)
    let isWriting = true
    const writing = valueOf(
      changes(stage.store()).replace('things', instance, { ...document, version: 1, value: { tags } }),
    ).finally(() => {
      isWriting = false
    })
    while (isWriting) {
      // A store in this process may need a turn of the event loop.
      await nextTurn()
      const found = await valueOf(stage.store().get('things', instance, 'a'))
      if (found?.version === 1) continue
      for (const within of groups)
        expect(await groupCountsOf(stage.store(), instance, 'tags', within)).to.have.length(tags.length)
    }
    await writing
  })

  // Last, because a store that reads all documents for each group count would read these lists in the tests after it.
  it('concurrent writes that count two texts in opposite sequences, the second in an appended document', async () => {
    const instances = Array.from({ length: 3 }, stage.newInstance)
    // Many texts between the two, so that each write has counted its first text before the other counts its second.
    const others = (first: string) => Array.from({ length: 200 }, (_, i) => first.repeat(1000) + i)
    const writes = instances.flatMap((instance) =>
      ['ab', 'ba'].map((id) => {
        const [first = '', second = ''] = id
        const tags = [first, ...others(first)]
        const document = { id, position: nextPosition(), unique: null, value: { tags } }
        const appended = append('things', instance, first, { tags: [second] })
        return changes(stage.store()).change('things', instance, { kind: 'insert', document }, [appended])
      }),
    )
    expect(await failureTags(writes)).to.deep.equal(writes.map(() => null))
    const counted = [
      { text: 'a', count: 2 },
      { text: 'b', count: 2 },
    ]
    for (const instance of instances)
      for (const within of groups)
        await soon(async () =>
          expect(await groupCountsOf(stage.store(), instance, 'tags', within)).to.deep.include.members(
            counted,
          ),
        )
  })
}
