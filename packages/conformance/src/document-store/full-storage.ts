/** Tests of full storage. */
import { append } from './appended.js'
import { changes, inserted, nextPosition, replaced } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import {
  type DocumentChange,
  type Collection,
  type DocumentStore,
  singleReads,
} from '@publishing-service/ports'
import { all, type FullStorageSubject, others, soon, things } from './stage.js'
import { failureOf, valueOf } from '../task-outcome.js'

const value = { title: 'a', tags: ['x'], content: 'long' }

/** Both documents are unchanged, and no other exists, nor one that was appended. */
const expectUnchanged = async (store: DocumentStore): Promise<void> => {
  const { documents } = await valueOf(store.find('things', 1, all))
  expect(documents.map(({ id, version, value: found }) => ({ id, version, value: found }))).to.deep.equal(
    ['a', 'b'].map((id) => ({ id, version: 1, value })),
  )
  expect(await valueOf(store.get('things', 1, 'a'))).to.deep.equal(documents[0])
  expect((await valueOf(store.find('others', 1, all))).documents).to.deep.equal([])
  expect(await valueOf(singleReads(store).countGroups('things', 1, 'tags', {}))).to.deep.equal([
    { text: 'x', count: 2 },
  ])
}

/** Declares the test of full storage. */
export const fullStorage = (
  open: (collections: readonly Collection[]) => Promise<FullStorageSubject>,
): void => {
  it('each kind of write and read, first while the storage is full, then with space', async () => {
    const { store, fill, freeSpace, reservesSpace, dispose } = await open([things, others])
    try {
      for (const id of ['a', 'b'])
        await valueOf(changes(store).insert('things', 1, { id, unique: id, value }))
      const replacement = { id: 'a', unique: 'a', version: 1, value: { title: 'c' } }
      const failing: readonly DocumentChange[] = [
        { kind: 'insert', document: { id: 'c', position: nextPosition(), unique: 'c', value } },
        { kind: 'replace', document: replacement },
      ]
      const full = await fill()
      for (const change of failing) {
        const write = changes(full).change('things', 1, change, [append('others', 1, change.kind)])
        const failed = await failureOf<{ readonly _tag: string }>(write)
        expect(failed).to.include({ _tag: 'PortFailure', storageFull: true })
        expect(failed, 'it is not applied later').not.to.have.property('mayYetApply')
        await expectUnchanged(full)
      }
      const several = [
        inserted('things', 'c', value),
        inserted('others', 'c', value),
        replaced('things', 'a', 1),
      ]
      expect(await failureOf<object>(full.write(1, several, []))).to.include({ storageFull: true })
      await expectUnchanged(full)
      if (reservesSpace) {
        const removal = { kind: 'remove', id: 'b', version: 1 } as const
        await valueOf(changes(full).change('things', 1, removal, [append('others', 1, 'removed')]))
        await soon(async () =>
          expect(await valueOf(full.get('others', 1, 'removed'))).to.include({ version: 1 }),
        )
      }
      const withSpace = await freeSpace()
      if (!reservesSpace) await expectUnchanged(withSpace)
      await valueOf(changes(withSpace).insert('things', 1, { id: 'd', unique: 'd', value }))
      await valueOf(changes(withSpace).replace('things', 1, replacement))
    } finally {
      await dispose()
    }
  })
}
