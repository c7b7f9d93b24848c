import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import type { Collection, Query } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, rejection, right, temporaryFolders } from './test-support/fixture.js'

describe('Migrating the schema to the declarations', () => {
  const folder = temporaryFolders()
  const fileIn = async () => join(await folder(), 'documents.sqlite')

  const opened = async (file: string, ...collections: readonly Collection[]): Promise<void> =>
    (await sqliteDocumentStore({ file, collections })).close()

  const schemaOf = (file: string): string => {
    const database = new Database(file, { readonly: true })
    const rows = database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name LIKE 'documents_%' ORDER BY name")
      .all()
    database.close()
    return JSON.stringify(rows, null, 1)
  }

  it('leaves the file unchanged, to the byte, if the declarations are the same', async () => {
    const file = await fileIn()
    await opened(file, things)
    const bytes = await readFile(file)
    await opened(file, things)
    expect(bytes.equals(await readFile(file))).to.equal(true)
  })

  it('drops the keys, indexes and group counts that are no longer declared', async () => {
    const [file, fresh] = [await fileIn(), await fileIn()]
    await opened(file, {
      ...things,
      keys: { ...things.keys, extra: 'text', extras: 'texts' },
      indexes: [...things.indexes, ['extra', 'rank'], ['extras', 'extra'], ['tags', 'extra']],
      groupCounts: [...things.groupCounts, { key: 'extras', within: [] }, { key: 'tags', within: ['extra'] }],
    })
    expect(schemaOf(file)).to.include('extra')
    expect(schemaOf(file)).to.include('documents_things.tally.extras')
    await opened(file, things)
    await opened(fresh, things)
    expect(schemaOf(file)).to.equal(schemaOf(fresh))
  })

  it('creates a new column, and its indexes, for a key with another type or other heavy attributes', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections: [things] })
    await right(
      store.insert('things', 1, { id: 'a', unique: null, value: { rank: 10, title: 'b', content: 'c' } }),
    )
    await right(
      store.insert('things', 1, { id: 'b', unique: null, value: { rank: '9', title: 'a', content: 'b' } }),
    )
    await store.close()
    const changed: Collection = {
      ...things,
      heavy: ['title'],
      keys: { ...things.keys, rank: 'text', content: 'text' },
    }
    for (const [collection, ranked] of [
      [things, ['b', 'a']],
      [changed, ['a', 'b']],
      [things, ['b', 'a']],
    ] as const) {
      const again = await sqliteDocumentStore({ file, collections: [collection] })
      const ids = async (key: string) =>
        (await right(again.find('things', 1, { ...all, order: [{ key, direction: 'asc' }] }))).documents.map(
          ({ id }) => id,
        )
      expect(await ids('rank')).to.deep.equal(ranked)
      expect(await ids('title')).to.deep.equal(['b', 'a'])
      const [light] = await right(again.getMany('things', 1, ['a'], 'light'))
      expect(Object.keys(light?.value ?? {})).to.have.members(
        collection === changed ? ['rank', 'content'] : ['rank', 'title'],
      )
      expect((await right(again.get('things', 1, 'a')))?.value).to.deep.equal({
        rank: 10,
        title: 'b',
        content: 'c',
      })
      await again.close()
    }
  })

  it('rejects a file of a layout before the first release, and leaves it unchanged', async () => {
    const file = await fileIn()
    await opened(file, things)
    new Database(file).exec('PRAGMA user_version = 1').close()
    const bytes = await readFile(file)
    expect(await rejection(opened(file, things))).to.include('before its first release')
    expect(bytes.equals(await readFile(file))).to.equal(true)
  })

  it('stops writes, but not reads, when another version declares keys while this one runs', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const insert = (id: string) => store.insert('things', 1, { id, unique: null, value: { title: id } })
    await right(insert('a'))
    await opened(file, { ...things, keys: { ...things.keys, extra: 'text' } })
    const refused = await insert('b')()
    expect(JSON.stringify(refused)).to.include('PortFailure').and.to.include('key_extra')
    expect((await right(store.find('things', 1, all))).documents.map(({ id }) => id)).to.deep.equal(['a'])
    await opened(file, things)
    await right(insert('b'))
    await store.close()
  })

  it('retains the documents of a collection that is no longer declared', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections: [things] })
    await right(store.insert('things', 1, { id: 'a', unique: 'u', value: { title: 'a' } }))
    await store.close()
    await opened(file, { ...things, name: 'others' })
    const again = await sqliteDocumentStore({ file, collections: [things] })
    expect((await right(again.find('things', 1, all))).documents.map(({ id }) => id)).to.deep.equal(['a'])
    await again.close()
  })

  it('keeps names of any kind distinct, from each other and from the tables of the store', async () => {
    const file = await fileIn()
    const keys = [
      'id',
      'ID',
      'version',
      'light',
      'key_title',
      'title',
      'Title',
      'createdAt',
      'createdat',
      "it's",
      'a-b',
      'a_b',
      'a b',
      'ä',
      '$',
      '💾',
    ]
    const collection: Collection = {
      name: "Odd 'names",
      heavy: [],
      keys: Object.fromEntries(keys.map((key) => [key, 'text'])),
      indexes: [['Title', 'title']],
      groupCounts: [],
    }
    const lower = { ...collection, name: "odd 'names" }
    const store = await sqliteDocumentStore({ file, collections: [collection, lower] })
    for (const key of keys) {
      await right(store.insert(collection.name, 1, { id: key, unique: null, value: { [key]: 'x' } }))
    }
    for (const key of keys) {
      const { documents } = await right(
        store.find(collection.name, 1, { ...all, where: [{ key, equals: 'x' }] }),
      )
      expect(
        documents.map(({ id }) => id),
        key,
      ).to.deep.equal([key])
    }
    expect((await right(store.find(lower.name, 1, all))).documents).to.deep.equal([])
    await store.close()
    const bytes = await readFile(file)
    await opened(file, collection, lower)
    expect(bytes.equals(await readFile(file))).to.equal(true)
    expect(
      await rejection(
        sqliteDocumentStore({ file, collections: [{ ...collection, keys: { 'a"b': 'text' }, indexes: [] }] }),
      ),
    ).to.include('a\\"b')
  })

  it('keeps the rows of a texts table for a new index, and creates them again for a new copied key', async () => {
    const file = await fileIn()
    const texts = (declared: Collection) => opened(file, declared).then(() => new Database(file))
    const store = await sqliteDocumentStore({ file, collections: [things] })
    for (let i = 0; i < 2500; i += 500) {
      const batch = Array.from({ length: 500 }, (_, j) => ({
        id: `${i + j}`,
        unique: null,
        value: { rank: i + j, tags: ['all', `${j % 7}`, 'all'] },
      }))
      await Promise.all(batch.map((document) => right(store.insert('things', 1, document))))
    }
    await store.close()
    const mark = 'UPDATE "documents_things.texts.tags" SET key_title = \'kept\''
    const marked = 'SELECT count(*) FROM "documents_things.texts.tags" WHERE key_title = \'kept\''
    const rows = 'SELECT count(*) FROM "documents_things.texts.tags"'
    const counts = 'SELECT sum(count) FROM "documents_things.tally.tags"'
    const inserted = new Database(file)
    inserted.exec(mark)
    inserted.close()
    for (const [indexes, kept] of [
      [[...things.indexes, ['tags', 'rank']], 5000],
      [[...things.indexes, ['tags', 'open']], 0],
      [things.indexes, 0],
    ] as const) {
      const database = await texts({ ...things, indexes })
      const number = (sql: string) => database.prepare(sql).pluck().get()
      expect([number(marked), number(rows), number(counts)]).to.deep.equal([kept, 5000, 5000])
      database.close()
    }
  })

  it('rejects indexes and group counts over an undeclared key or a key of another kind', async () => {
    const refused = async (changes: Partial<Collection>): Promise<string> =>
      rejection(sqliteDocumentStore({ file: await fileIn(), collections: [{ ...things, ...changes }] }))
    for (const index of [['kind', 'nothing'], ['tags', 'nothing'], ['nothing']])
      expect(await refused({ indexes: [index] })).to.include('nothing')
    for (const index of [
      ['kind', 'tags'],
      ['places', 'tags'],
      ['tags', 'kind', 'tags'],
    ])
      expect(await refused({ indexes: [index] })).to.include('tags')
    for (const groupCount of [
      { key: 'kind', within: [] },
      { key: 'tags', within: ['kind', 'places'] },
      { key: 'nothing', within: [] },
    ])
      expect(await refused({ groupCounts: [groupCount] })).to.match(/group count/)
  })

  it('fails with a defect for a filter of the wrong kind and an undeclared group count', async () => {
    const store = await sqliteDocumentStore({ file: await fileIn(), collections: [things] })
    const find = (query: Partial<Query>) => rejection(store.find('things', 1, { ...all, ...query })())
    expect(await find({ where: [{ key: 'tags', equals: 'a' }] })).to.include('no plain key tags')
    expect(await find({ order: [{ key: 'tags', direction: 'asc' }] })).to.include('no plain key tags')
    expect(await find({ where: [{ key: 'kind', has: 'a' }] })).to.include('no key of texts kind')
    for (const within of [{ kind: 'a' }, { kind: 'a', open: true, rank: 1 }])
      expect(await rejection(store.countGroups('things', 1, 'tags', within)())).to.include(
        'no group count of tags',
      )
    await store.close()
  })
})
