/** Tests that writes which wait for each other's unique texts all return, and that no deadlock fails them. */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import type { DocumentStore } from '@publishing-service/ports'
import type { Deviations } from '../contract.js'
import { all, failureTags, type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

const rounds = 8
const ring = 6

/** Each document of a ring requests the unique text of the next one. No text is free, so no document changes. */
const swapInRings = async (stores: readonly DocumentStore[], stage: Stage): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const size = round % 2 === 0 ? 2 : ring
    const instance = stage.newInstance()
    const ids = Array.from({ length: size }, (_, i) => `${i}`)
    for (const id of ids)
      await valueOf(
        changes(stage.store()).insert('things', instance, { id, unique: id, value: { title: id } }),
      )
    const before = (await valueOf(stage.store().find('things', instance, all))).documents
    const swaps = ids.map((id, i) =>
      changes(stores[i % stores.length] ?? stage.store()).replace('things', instance, {
        id,
        unique: `${(i + 1) % size}`,
        version: 1,
        value: { title: 'changed' },
      }),
    )
    expect(await failureTags(swaps)).to.deep.equal(ids.map(() => 'UniqueConflict'))
    expect((await valueOf(stage.store().find('things', instance, all))).documents).to.deep.equal(before)
  }
}

/** Declares the tests of documents that swap their unique texts. */
export const swaps = (stage: Stage, { volatile }: Deviations<'documentStore'>): void => {
  it('documents that swap their unique texts concurrently', () => swapInRings([stage.store()], stage))

  if (volatile === undefined)
    it('documents that swap their unique texts concurrently, in two stores', async () => {
      const second = await stage.subject().reopen([things])
      try {
        await swapInRings([stage.store(), second], stage)
      } finally {
        await second.close()
      }
    })
}
