/** Tests that writes which wait for each other's unique texts all answer, and that no deadlock fails them. */
import { it } from 'mocha'
import { expect } from 'chai'
import type { DocumentStore } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { all, outcomes, right, type Stage, things } from './stage.js'

const rounds = 15
const ring = 6

/** Each document of a ring reaches for the unique text of the next one: none is free, so none changes. */
const swapInRings = async (stores: readonly DocumentStore[], stage: Stage): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const size = round % 2 === 0 ? 2 : ring
    const place = stage.instance()
    const ids = Array.from({ length: size }, (_, i) => `${i}`)
    for (const id of ids)
      await right(stage.store().insert('things', place, { id, unique: id, value: { title: id } }))
    const before = (await right(stage.store().find('things', place, all))).documents
    const swaps = ids.map((id, i) =>
      (stores[i % stores.length] ?? stage.store()).replace('things', place, {
        id,
        unique: `${(i + 1) % size}`,
        version: 1,
        value: { title: 'changed' },
      }),
    )
    expect(await outcomes(swaps)).to.deep.equal(ids.map(() => 'UniqueConflict'))
    expect((await right(stage.store().find('things', place, all))).documents).to.deep.equal(before)
  }
}

/** Declares the tests of unique texts that documents swap. */
export const swaps = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  it('documents that swap their unique texts at once', () => swapInRings([stage.store()], stage))

  if (volatile === undefined)
    it('documents that swap their unique texts at once, in two stores', async () => {
      const second = await stage.subject().reopen([things])
      try {
        await swapInRings([stage.store(), second], stage)
      } finally {
        await second.close()
      }
    })
}
