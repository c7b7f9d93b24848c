/** Tests of urgent writes, and of storage without room. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { sentences } from './sentences.js'
import { all, failing, type FullStorageSubject, right, type Stage, things } from './stage.js'

const urgent = true as const

/** Declares the tests of urgent writes where there is room. */
export const urgentWrites = ({ store, instance }: Stage): void => {
  describe(sentences.urgent, () => {
    it('an insert and a replace, and what they conflict with', async () => {
      const place = instance()
      const value = { title: 'a', tags: ['x'] }
      const inserted = await right(store().insert('things', place, { id: 'a', unique: 'u', value, urgent }))
      expect(inserted).to.deep.equal({ id: 'a', version: 1, value })
      const next = { id: 'a', unique: 'v', version: 1, value: { title: 'b' }, urgent }
      const replaced = await right(store().replace('things', place, next))
      expect(replaced).to.deep.equal({ id: 'a', version: 2, value: { title: 'b' } })
      expect((await right(store().find('things', place, all))).documents).to.deep.equal([replaced])
      expect(await failing(store().replace('things', place, next))).to.deep.equal({ _tag: 'VersionConflict' })
      const other = { id: 'b', unique: 'v', value, urgent }
      expect(await failing(store().insert('things', place, other))).to.deep.equal({ _tag: 'UniqueConflict' })
      await right(store().insert('things', place, { ...other, unique: 'u' }))
    })
  })
}

const value = { title: 'a', tags: ['x'], content: 'long' }

/** Both documents are as they were, and nothing else is there. */
const expectUnchanged = async (store: DocumentStore): Promise<void> => {
  const documents = ['a', 'b'].map((id) => ({ id, version: 1, value }))
  expect((await right(store.find('things', 1, all))).documents).to.deep.equal(documents)
  expect(await right(store.get('things', 1, 'a'))).to.deep.equal(documents[0])
  expect(await right(store.countGroups('things', 1, 'tags', {}))).to.deep.equal([{ text: 'x', count: 2 }])
}

/** Declares the test of storage without room. */
export const fullStorage = (
  open: (collections: readonly Collection[]) => Promise<FullStorageSubject>,
): void => {
  it('each kind of write and read, and all of them again with room', async () => {
    const { store, fill, makeRoom, holdsBack, dispose } = await open([things])
    try {
      for (const id of ['a', 'b']) await right(store.insert('things', 1, { id, unique: id, value }))
      const insertion = { id: 'c', unique: 'c', value }
      const replacement = { id: 'a', unique: 'a', version: 1, value: { title: 'c' } }
      const full = await fill()
      for (const write of [full.insert('things', 1, insertion), full.replace('things', 1, replacement)]) {
        const failed = await failing<{ readonly _tag: string }>(write)
        expect(failed).to.include({ _tag: 'PortFailure', storageFull: true })
        expect(failed, 'it changes nothing later either').not.to.have.property('mayYetApply')
        await expectUnchanged(full)
      }
      if (holdsBack) {
        await right(full.insert('things', 1, { ...insertion, urgent }))
        await right(full.replace('things', 1, { ...replacement, urgent }))
        await right(full.remove('things', 1, 'b', 1))
      }
      const roomy = await makeRoom()
      if (!holdsBack) await expectUnchanged(roomy)
      await right(roomy.insert('things', 1, { id: 'd', unique: 'd', value }))
      await right(roomy.replace('things', 1, { ...replacement, version: holdsBack ? 2 : 1 }))
    } finally {
      await dispose()
    }
  })
}
