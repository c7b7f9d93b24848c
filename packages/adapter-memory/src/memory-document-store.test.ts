import { changes } from '@publishing-service/conformance'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { documentStoreConformance, searchConformance } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { type Collection, singleReads } from '@publishing-service/ports'
import { memoryDocumentStore } from './memory-document-store.js'

const open = async (collections: readonly Collection[]) => {
  const store = memoryDocumentStore(collections)
  return { store, reopen: async () => store, dispose: store.close }
}

documentStoreConformance({
  name: 'memoryDocumentStore',
  open,
  deviations: {
    volatile: 'It is for tests and trials, in the memory of its process.',
    crashes: 'It ends with its process.',
    outages: 'It has no server.',
    lostResponses: 'It has no connection and no disk.',
    fullStorage: 'Its process ends when memory is full.',
  },
  maxDocumentBytes: null,
})

searchConformance({
  name: 'memoryDocumentStore',
  open,
  deviations: { volatile: 'It is for tests and trials, in the memory of its process.' },
})

const rejected = async (call: () => Promise<unknown>): Promise<string> =>
  call().then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => String(error),
  )

describe('memoryDocumentStore', () => {
  it('returns frozen documents', async () => {
    const store = memoryDocumentStore([
      { name: 'things', heavy: ['content'], keys: {}, indexes: [], groupCounts: [] },
    ])
    const value = { title: 'a', content: { deep: [{ list: 'a' }] } }
    const inserted = await changes(store).insert('things', 1, { id: 'a', unique: null, value })()
    const read = await store.get('things', 1, 'a')()
    const light = await singleReads(store).getMany('things', 1, ['a'], 'light')()
    if (E.isLeft(inserted) || E.isLeft(read) || E.isLeft(light)) return expect.fail('a call failed')
    for (const document of [inserted.right, read.right, ...light.right]) {
      expect(document).to.satisfy(Object.isFrozen)
      expect(document?.value).to.satisfy(Object.isFrozen)
    }
    expect(read.right?.value).not.to.equal(value)
    expect(read.right?.value['content']).to.satisfy(Object.isFrozen)
  })

  it('rejects an undeclared collection or key as a defect', async () => {
    const store = memoryDocumentStore([{ name: 'things', heavy: [], keys: {}, indexes: [], groupCounts: [] }])
    expect(await rejected(store.get('other', 1, 'a'))).to.include('other')
    await changes(store).insert('things', 1, { id: 'a', unique: null, value: {} })()
    const where = [{ key: 'title', equals: 'a' }]
    const query = { where, order: [], skip: 0, limit: 1, detail: 'light' } as const
    expect(await rejected(store.find('things', 1, query))).to.include('title')
    const listed = { ...query, where: [{ key: 'title', has: 'a' }] }
    expect(await rejected(store.find('things', 1, listed))).to.include('title')
    expect(await rejected(singleReads(store).countGroups('things', 1, 'title', {}))).to.include('title')
  })

  it('rejects a list key that is used like a plain value, and an undeclared group count, as defects', async () => {
    const store = memoryDocumentStore([
      {
        name: 'things',
        heavy: [],
        keys: { tags: 'texts', kind: 'text' },
        indexes: [],
        groupCounts: [{ key: 'tags', within: ['kind'] }],
      },
    ])
    await changes(store).insert('things', 1, { id: 'a', unique: null, value: {} })()
    const query = { where: [], order: [], skip: 0, limit: 1, detail: 'light' } as const
    const byList = { ...query, where: [{ key: 'tags', equals: 'a' }] }
    expect(await rejected(store.find('things', 1, byList))).to.include('tags')
    const ordered = { ...query, order: [{ key: 'tags', direction: 'asc' }] } as const
    expect(await rejected(store.find('things', 1, ordered))).to.include('tags')
    for (const within of [{}, { kind: 'x', other: 'y' }])
      expect(await rejected(singleReads(store).countGroups('things', 1, 'tags', within))).to.include('tags')
  })
})
