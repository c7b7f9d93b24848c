/** Tests that a store migrates existing data to new declarations. */
import { changes } from './changes.js'
import { it } from 'mocha'
import { expect } from 'chai'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Collection, DocumentStore } from '@publishing-service/ports'
import { asc, desc } from './insert-all.js'
import { expectedResult, expectedGroupCount, type StoredValue } from './query-model.js'
import { all, idsOf, type OpenSubject, others, things } from './stage.js'
import { valueOf } from '../task-outcome.js'
import { groupCountsOf } from './expect-group-counts.js'

/** Declares the tests of collections that are declared after their data was written. */
export const schemaMigration = (open: OpenSubject): void => {
  const before: Collection = {
    name: 'things',
    heavy: ['content'],
    keys: { title: 'text', rank: 'text' },
    indexes: [['title', 'rank']],
    groupCounts: [],
  }
  const values = [
    { title: 'b', rank: 2, kind: 'x', content: 'c', note: 'long' },
    { title: 'a', rank: 1, content: 'c' },
    { title: 'a', rank: 3, kind: 'x' },
  ]

  it('a collection, key, index or heavy attribute that is declared after the data was written', async () => {
    const subject = await open([before])
    try {
      const inserted = []
      for (const [i, value] of values.entries())
        inserted.push(
          await valueOf(changes(subject.store).insert('things', 1, { id: `${i}`, unique: null, value })),
        )
      await subject.store.close()
      const after: Collection = {
        name: 'things',
        heavy: ['note'],
        keys: { kind: 'text', rank: 'number', open: 'boolean' },
        indexes: [['kind', 'rank']],
        groupCounts: [],
      }
      const store = await subject.reopen([after, others])
      const ids = async (query: Partial<typeof all>) =>
        idsOf((await valueOf(store.find('things', 1, { ...all, ...query }))).documents)
      expect(
        await ids({ where: [{ key: 'kind', equals: 'x' }], order: [{ key: 'rank', direction: 'desc' }] }),
      ).to.deep.equal(['2', '0'])
      expect(await ids({ where: [{ key: 'rank', atLeast: 2 }] })).to.deep.equal(['0', '2'])
      expect(await ids({ where: [{ key: 'open', equals: null }] })).to.deep.equal(['0', '1', '2'])
      const { documents } = await valueOf(store.find('things', 1, { ...all, detail: 'light' }))
      expect(documents.map(({ value }) => value)).to.deep.equal(
        values.map((value) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'note'))),
      )
      expect(await valueOf(store.get('things', 1, '0'))).to.deep.equal(inserted[0])
      await valueOf(changes(store).insert('others', 1, { id: '0', unique: null, value: { kind: 'y' } }))
      await store.close()
    } finally {
      await subject.dispose()
    }
  })

  const listed = (i: number): JsonObject => ({
    tags: [['a', 'b', 'a'], ['b', ''], 'a', [1, 'c'], null, ['a']][i % 6] ?? null,
    places: [`${i % 3}`],
    kind: ['x', 'y', null][i % 3] ?? null,
    rank: i % 4,
  })

  /** They are opened in this order on the same data. Each finds the documents that were written with all earlier ones. */
  const declarations: readonly (readonly [string, Collection])[] = [
    ['without lists', { ...things, keys: { kind: 'text', rank: 'number' }, indexes: [], groupCounts: [] }],
    ['a key of texts', { ...things, indexes: [], groupCounts: [] }],
    ['an index that begins with it', { ...things, groupCounts: [] }],
    ['group counts', things],
    ['the lists among other heavy attributes', { ...things, heavy: ['tags', 'rank'] }],
    ['the lists among light attributes', { ...things, heavy: [] }],
    [
      'a group count’s and an index’s key of another type',
      { ...things, keys: { ...things.keys, rank: 'text', kind: 'number' } },
    ],
    [
      'other group counts and indexes',
      { ...things, indexes: [['tags', 'open']], groupCounts: things.groupCounts.slice(1, 2) },
    ],
    [
      'a list that is a text',
      { ...things, keys: { ...things.keys, tags: 'text' }, indexes: [], groupCounts: [] },
    ],
    ['everything again', things],
  ]

  const expectAll = async (
    store: DocumentStore,
    collection: Collection,
    documents: readonly StoredValue[],
  ): Promise<void> => {
    for (const [key, type] of Object.entries(collection.keys)) {
      for (const text of type === 'texts' ? ['a', 'b', 'c', '1'] : []) {
        for (const order of [[], [asc('rank')], [desc('kind')]]) {
          const query = { ...all, where: [{ key, has: text }], order }
          const found = idsOf((await valueOf(store.find('things', 1, query))).documents)
          expect(found, `${key} has ${text}`).to.deep.equal(
            expectedResult(collection, documents, query).map(({ id }) => id),
          )
        }
      }
    }
    for (const { key, within } of collection.groupCounts) {
      for (const [kind, rank] of [
        ['x', 1],
        ['y', 2],
        [null, null],
      ] as const) {
        const counted = Object.fromEntries(
          within.map((name) => [name, ({ kind, rank } as JsonObject)[name] ?? null]),
        )
        expect(await groupCountsOf(store, 1, key, counted)).to.deep.equal(
          expectedGroupCount(collection, documents, key, counted),
        )
      }
    }
  }

  it('a key of texts or a group count that is declared or changed after the data was written', async () => {
    const subject = await open([declarations[0]?.[1] ?? things])
    const documents: StoredValue[] = []
    const write = async (store: DocumentStore): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        const document = { id: `${documents.length}`, value: listed(documents.length) }
        await valueOf(changes(store).insert('things', 1, { ...document, unique: null }))
        documents.push(document)
      }
    }
    try {
      await write(subject.store)
      await subject.store.close()
      for (const [name, collection] of declarations) {
        const store = await subject.reopen([collection])
        try {
          await expectAll(store, collection, documents)
          await write(store)
          const [first] = documents
          if (first !== undefined) {
            const version = (await valueOf(store.get('things', 1, first.id)))?.version ?? 0
            const value = { ...listed(version), places: ['a', 'c'] }
            await valueOf(changes(store).replace('things', 1, { id: first.id, unique: null, version, value }))
            documents.splice(0, 1, { id: first.id, value })
          }
          await expectAll(store, collection, documents)
        } catch (error) {
          throw new Error(`with ${name}: ${String(error)}`, { cause: error })
        } finally {
          await store.close()
        }
      }
    } finally {
      await subject.dispose()
    }
  })
}
