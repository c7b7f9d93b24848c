/** Tests of full storage. */
import { changes } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { sentences } from './sentences.js'
import { all, type FullStorageSubject, things } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

const value = { title: 'a', tags: ['x'], content: 'long' }

/** Both documents are unchanged, and no other exists. */
const expectUnchanged = async (store: DocumentStore): Promise<void> => {
  const { documents } = await valueOf(store.find('things', 1, all))
  expect(documents.map(({ id, version, value: found }) => ({ id, version, value: found }))).to.deep.equal(
    ['a', 'b'].map((id) => ({ id, version: 1, value })),
  )
  expect(await valueOf(store.get('things', 1, 'a'))).to.deep.equal(documents[0])
  expect(await valueOf(store.countGroups('things', 1, 'tags', {}))).to.deep.equal([{ text: 'x', count: 2 }])
}

/** Declares the test of full storage. */
export const fullStorage = (
  open: (collections: readonly Collection[]) => Promise<FullStorageSubject>,
): void => {
  it('each kind of write and read, first while the storage is full, then with space', async () => {
    const { store, fill, freeSpace, reservesSpace, dispose } = await open([things])
    try {
      for (const id of ['a', 'b'])
        await valueOf(changes(store).insert('things', 1, { id, unique: id, value }))
      const insertion = { id: 'c', unique: 'c', value }
      const replacement = { id: 'a', unique: 'a', version: 1, value: { title: 'c' } }
      const full = await fill()
      for (const write of [
        changes(full).insert('things', 1, insertion),
        changes(full).replace('things', 1, replacement),
      ]) {
        const failed = await failureOf<{ readonly _tag: string }>(write)
        expect(failed).to.include({ _tag: 'PortFailure', storageFull: true })
        expect(failed, 'it is not applied later').not.to.have.property('mayYetApply')
        await expectUnchanged(full)
      }
      if (reservesSpace) await valueOf(changes(full).remove('things', 1, 'b', 1))
      const withSpace = await freeSpace()
      if (!reservesSpace) await expectUnchanged(withSpace)
      await valueOf(changes(withSpace).insert('things', 1, { id: 'd', unique: 'd', value }))
      await valueOf(changes(withSpace).replace('things', 1, replacement))
    } finally {
      await dispose()
    }
  })
}
