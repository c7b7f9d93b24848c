/** Tests of a store's checking and closing. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { all, failure, type OpenSubject, right, type Stage, things } from './stage.js'

/** Declares the tests of check and close. */
export const lifecycle = (stage: Stage, open: OpenSubject): void => {
  describe('Succeeds when the store can answer a read and take a write.', () => {
    it('again and again, and leaves nothing behind', async () => {
      const place = stage.instance()
      for (let i = 0; i < 3; i++) await right(stage.store().check())
      await Promise.all([right(stage.store().check()), right(stage.store().check())])
      expect(await right(stage.store().find('things', place, all))).to.deep.equal({
        documents: [],
        next: null,
      })
    })
  })

  describe('Ends every use; writes that were under way have answered before it resolves. Idempotent.', () => {
    it('closing twice, at once and one after the other, behind 50 writes', async () => {
      const { store, dispose } = await open([things])
      try {
        let answered = 0
        const writes = Array.from({ length: 50 }, async (_, i) => {
          const outcome = await store.insert('things', 1, { id: `${i}`, unique: null, value: { rank: i } })()
          answered++
          return outcome._tag
        })
        await Promise.all([store.close(), store.close()])
        expect(answered).to.equal(50)
        expect(await Promise.all(writes)).to.deep.equal(writes.map(() => 'Right'))
        await store.close()
      } finally {
        await dispose()
      }
    })

    it('a use behind it fails with PortFailure', async () => {
      const { store, dispose } = await open([things])
      try {
        await store.close()
        const write = { id: 'a', unique: null, version: 1, value: {} }
        expect(await failure(store.get('things', 1, 'a'))).to.equal('PortFailure')
        expect(await failure(store.getMany('things', 1, ['a'], 'full'))).to.equal('PortFailure')
        expect(await failure(store.find('things', 1, all))).to.equal('PortFailure')
        expect(await failure(store.countGroups('things', 1, 'tags', {}))).to.equal('PortFailure')
        expect(await failure(store.insert('things', 1, write))).to.equal('PortFailure')
        expect(await failure(store.replace('things', 1, write))).to.equal('PortFailure')
        expect(await failure(store.remove('things', 1, 'a', 1))).to.equal('PortFailure')
        expect(await failure(store.check())).to.equal('PortFailure')
      } finally {
        await dispose()
      }
    })
  })
}
