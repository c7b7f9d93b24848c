/** Tests of urgent writes, and of full storage. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { sentences } from './sentences.js'
import { all, type FullStorageSubject, type Stage, things } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

const urgent = true as const

/** Declares the tests of urgent writes while there is space. */
export const urgentWrites = ({ store, newInstance }: Stage): void => {
  describe(sentences.urgent, () => {
    it('an insert, a replace, and their conflicts', async () => {
      const instance = newInstance()
      const value = { title: 'a', tags: ['x'] }
      const inserted = await valueOf(
        store().insert('things', instance, { id: 'a', unique: 'u', value, urgent }),
      )
      expect(inserted).to.deep.equal({ id: 'a', version: 1, value })
      const next = { id: 'a', unique: 'v', version: 1, value: { title: 'b' }, urgent }
      const replaced = await valueOf(store().replace('things', instance, next))
      expect(replaced).to.deep.equal({ id: 'a', version: 2, value: { title: 'b' } })
      expect((await valueOf(store().find('things', instance, all))).documents).to.deep.equal([replaced])
      expect(await failureOf(store().replace('things', instance, next))).to.deep.equal({
        _tag: 'VersionConflict',
      })
      const other = { id: 'b', unique: 'v', value, urgent }
      expect(await failureOf(store().insert('things', instance, other))).to.deep.equal({
        _tag: 'UniqueConflict',
      })
      await valueOf(store().insert('things', instance, { ...other, unique: 'u' }))
    })
  })
}

const value = { title: 'a', tags: ['x'], content: 'long' }

/** Both documents are unchanged, and no other exists. */
const expectUnchanged = async (store: DocumentStore): Promise<void> => {
  const documents = ['a', 'b'].map((id) => ({ id, version: 1, value }))
  expect((await valueOf(store.find('things', 1, all))).documents).to.deep.equal(documents)
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
      for (const id of ['a', 'b']) await valueOf(store.insert('things', 1, { id, unique: id, value }))
      const insertion = { id: 'c', unique: 'c', value }
      const replacement = { id: 'a', unique: 'a', version: 1, value: { title: 'c' } }
      const full = await fill()
      for (const write of [full.insert('things', 1, insertion), full.replace('things', 1, replacement)]) {
        const failed = await failureOf<{ readonly _tag: string }>(write)
        expect(failed).to.include({ _tag: 'PortFailure', storageFull: true })
        expect(failed, 'it is not applied later').not.to.have.property('mayYetApply')
        await expectUnchanged(full)
      }
      if (reservesSpace) {
        await valueOf(full.insert('things', 1, { ...insertion, urgent }))
        await valueOf(full.replace('things', 1, { ...replacement, urgent }))
        await valueOf(full.remove('things', 1, 'b', 1))
      }
      const withSpace = await freeSpace()
      if (!reservesSpace) await expectUnchanged(withSpace)
      await valueOf(withSpace.insert('things', 1, { id: 'd', unique: 'd', value }))
      await valueOf(withSpace.replace('things', 1, { ...replacement, version: reservesSpace ? 2 : 1 }))
    } finally {
      await dispose()
    }
  })
}
