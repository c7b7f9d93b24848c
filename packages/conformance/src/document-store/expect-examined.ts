/** What a store says of its data before it is opened. */
import { expect } from 'chai'
import type { Collection, DocumentStore, ExaminedStore } from '@publishing-service/ports'
import { valueOf } from '../task-outcome.js'
import { changes } from './changes.js'
import { things } from './stage.js'

/** One place, which is empty at first. */
export type ExaminedSubject = {
  readonly open: (collections: readonly Collection[]) => Promise<DocumentStore>
  readonly examine: (collections: readonly Collection[], read: string) => Promise<ExaminedStore>
}

/** Examining says what opening does with each collection, and what its documents are, and changes nothing. */
export const expectExamined = async ({ open, examine }: ExaminedSubject): Promise<void> => {
  const examined = async (declared: Collection) => {
    const { collections, read } = await examine([declared], declared.name)
    const [only = expect.fail('no collection')] = collections
    return {
      work: only.work,
      documents: [...only.documents].toSorted(([a], [b]) => a - b),
      read: read.map(({ id, value }) => [id, value]),
    }
  }
  expect(await examined(things)).to.deep.equal({ work: 'create', documents: [], read: [] })
  const store = await open([things])
  const value = { title: 'A' }
  for (const [instance, id] of [
    [1, 'a'],
    [2, 'b'],
    [2, 'c'],
  ] as const)
    await valueOf(changes(store).insert(things.name, instance, { id, unique: null, value }))
  await store.close()
  const read = ['a', 'b', 'c'].map((id) => [id, value])
  const documents = [
    [1, 1],
    [2, 2],
  ]
  expect(await examined(things)).to.deep.equal({ work: null, documents, read })
  const further = { ...things, keys: { ...things.keys, further: 'text' } } as const
  for (const _ of [1, 2]) expect(await examined(further)).to.deep.equal({ work: 'rewrite', documents, read })
}
