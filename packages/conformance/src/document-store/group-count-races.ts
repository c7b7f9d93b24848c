/** Tests that counts stay right where many write at once, in one store and in two. */
import { it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { all, outcomes, right, type Stage, things } from './stage.js'
import { expectGroupCounts, groupCountsOf } from './expect-group-counts.js'

const raceValue = (i: number): JsonObject => ({
  tags: [['a', 'b'], ['b', 'b', 'c'], [], ['a', 'd']][i % 4] ?? [],
  kind: ['x', 'y', null][i % 3] ?? null,
})

/** Many writers that read, then insert, replace or remove one of a few documents; some lose each race. */
const race = async (stores: readonly DocumentStore[], place: number): Promise<number> => {
  let lost = 0
  const writer = async (number: number): Promise<void> => {
    const store = stores[number % stores.length]
    if (store === undefined) return expect.fail('no store')
    for (let turn = 0; turn < 8; turn++) {
      const id = `${(number * 5 + turn) % 7}`
      const found = await right(store.get('things', place, id))
      const next = { id, unique: null, version: found?.version ?? 0, value: raceValue(number + turn) }
      const [tag] =
        found === null
          ? await outcomes([store.insert('things', place, next)])
          : (number + turn) % 3 === 0
            ? await outcomes([store.remove('things', place, id, found.version)])
            : await outcomes([store.replace('things', place, next)])
      if (tag === null) continue
      expect(tag).to.equal('VersionConflict')
      lost++
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, i) => writer(i)))
  return lost
}

/** Declares the tests of group counts under writes that race. */
export const raced = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  it('writes that race', async () => {
    const place = stage.instance()
    expect(await race([stage.store()], place), 'writes that lost their race').to.be.above(0)
    await expectGroupCounts(
      stage.store(),
      place,
      (await right(stage.store().find('things', place, all))).documents,
    )
  })

  if (volatile === undefined)
    it('writes of another store on the same data, one after the other and in races', async () => {
      const second = await stage.subject().reopen([things])
      try {
        const place = stage.instance()
        const stores = [stage.store(), second] as const
        for (let i = 0; i < 10; i++) {
          const [writer, reader] = i % 2 === 0 ? stores : ([stores[1], stores[0]] as const)
          await right(writer.insert('things', place, { id: `n${i}`, unique: null, value: { tags: ['n'] } }))
          expect(await groupCountsOf(reader, place, 'tags', {})).to.deep.equal([{ text: 'n', count: i + 1 }])
        }
        await race(stores, place)
        const { documents } = await right(second.find('things', place, all))
        for (const store of stores) await expectGroupCounts(store, place, documents)
      } finally {
        await second.close()
      }
    })
}
