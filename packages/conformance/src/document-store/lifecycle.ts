/** Tests of `check` and `close`. */
import { changes, nextPosition } from './changes.js'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { singleReads } from '@publishing-service/ports'
import { all, failureTag, type OpenSubject, type Stage, things } from './stage.js'
import { valueOf } from '../task-outcome.js'

/** Declares the tests of check and close. */
export const lifecycle = (stage: Stage, open: OpenSubject): void => {
  describe('Succeeds if the store can read and write.', () => {
    it('repeatedly and concurrently, without adding documents', async () => {
      const instance = stage.newInstance()
      for (let i = 0; i < 3; i++) await valueOf(stage.store().check())
      await Promise.all([valueOf(stage.store().check()), valueOf(stage.store().check())])
      expect(await valueOf(stage.store().find('things', instance, all))).to.deep.equal({
        documents: [],
        next: null,
      })
    })
  })

  describe('Closes the store. Resolves after current writes have returned. Idempotent.', () => {
    it('closing repeatedly, concurrently and in sequence, after 50 writes', async () => {
      const { store, dispose } = await open([things])
      try {
        let returned = 0
        const writes = Array.from({ length: 50 }, async (_, i) => {
          const document = { id: `${i}`, position: nextPosition(), unique: null, value: { rank: i } }
          const outcome = await store.write(1, [{ collection: 'things', kind: 'insert', document }], [])()
          returned++
          return outcome._tag
        })
        await Promise.all([store.close(), store.close()])
        expect(returned).to.equal(50)
        expect(await Promise.all(writes)).to.deep.equal(writes.map(() => 'Right'))
        await store.close()
      } finally {
        await dispose()
      }
    })

    it('every call after it fails with PortFailure', async () => {
      const { store, dispose } = await open([things])
      try {
        await store.close()
        const write = { id: 'a', unique: null, version: 1, value: {} }
        expect(await failureTag(store.get('things', 1, 'a'))).to.equal('PortFailure')
        expect(await failureTag(singleReads(store).getMany('things', 1, ['a'], 'full'))).to.equal(
          'PortFailure',
        )
        expect(await failureTag(store.find('things', 1, all))).to.equal('PortFailure')
        expect(await failureTag(singleReads(store).countGroups('things', 1, 'tags', {}))).to.equal(
          'PortFailure',
        )
        expect(await failureTag(store.count('things', 1, { where: [] }, 10))).to.equal('PortFailure')
        expect(await failureTag(store.countTexts('things', 1, ['tags'], { where: [] }, 10))).to.equal(
          'PortFailure',
        )
        expect(await failureTag(changes(store).insert('things', 1, write))).to.equal('PortFailure')
        expect(await failureTag(changes(store).replace('things', 1, write))).to.equal('PortFailure')
        expect(await failureTag(changes(store).remove('things', 1, 'a', 1))).to.equal('PortFailure')
        expect(await failureTag(store.check())).to.equal('PortFailure')
      } finally {
        await dispose()
      }
    })
  })
}
