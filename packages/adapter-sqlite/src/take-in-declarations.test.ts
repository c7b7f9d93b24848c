import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import type { Collection } from '@publishing-service/ports'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, rejection, right, temporaryFolders } from './test-support/fixture.js'

describe('Taking in declarations', () => {
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

  it('the same ones again leave the file as it is, to the byte', async () => {
    const file = await fileIn()
    await opened(file, things)
    const bytes = await readFile(file)
    await opened(file, things)
    expect(bytes.equals(await readFile(file))).to.equal(true)
  })

  it('drops the keys and indexes that are no longer declared', async () => {
    const [file, fresh] = [await fileIn(), await fileIn()]
    await opened(file, {
      ...things,
      keys: { ...things.keys, extra: 'text' },
      indexes: [...things.indexes, ['extra', 'rank']],
    })
    expect(schemaOf(file)).to.include('extra')
    await opened(file, things)
    await opened(fresh, things)
    expect(schemaOf(file)).to.equal(schemaOf(fresh))
  })

  it('a key with another type, or among other heavy attributes, gets a new column; the indexes follow', async () => {
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

  it('a file whose keys SQLite generated gets columns of its own, and finds by them what it found', async () => {
    const [file, fresh] = [await fileIn(), await fileIn()]
    await opened(file, { ...things, keys: {}, indexes: [] })
    const database = new Database(file)
    database.exec(`ALTER TABLE documents_things ADD COLUMN "key_title" TEXT AS (light ->> '$."title"') VIRTUAL;
      CREATE INDEX documents_things_by_title_asc ON documents_things (instance, "key_title", sequence);
      INSERT INTO documents_things (instance, id, version, light) VALUES (1, 'a', 1, '{"title":"b","rank":2,"open":true}');
      INSERT INTO documents_things (instance, id, version, light) VALUES (1, 'b', 1, '{"title":"a","rank":"2"}');
      PRAGMA user_version = 1`)
    database.close()
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const ids = async (query: Partial<typeof all>) =>
      (await right(store.find('things', 1, { ...all, ...query }))).documents.map(({ id }) => id)
    expect(await ids({ order: [{ key: 'title', direction: 'asc' }] })).to.deep.equal(['b', 'a'])
    expect(await ids({ where: [{ key: 'rank', atLeast: 0 }] })).to.deep.equal(['a'])
    expect(await ids({ where: [{ key: 'open', equals: true }] })).to.deep.equal(['a'])
    await store.close()
    await opened(fresh, things)
    const indexesOf = (schema: string): unknown =>
      JSON.parse(schema).filter(({ type }: { type: string }) => type === 'index')
    expect(indexesOf(schemaOf(file))).to.deep.equal(indexesOf(schemaOf(fresh)))
  })

  it('keys that another version declares while this one runs stop its writes, not its reads', async () => {
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

  it('documents of a collection that is no longer declared stay, and are there when it is again', async () => {
    const file = await fileIn()
    const store = await sqliteDocumentStore({ file, collections: [things] })
    await right(store.insert('things', 1, { id: 'a', unique: 'u', value: { title: 'a' } }))
    await store.close()
    await opened(file, { ...things, name: 'others' })
    const again = await sqliteDocumentStore({ file, collections: [things] })
    expect((await right(again.find('things', 1, all))).documents.map(({ id }) => id)).to.deep.equal(['a'])
    await again.close()
  })

  it('names of any kind keep apart, from each other and from the store’s own', async () => {
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

  it('an index over what is no key is refused', async () => {
    const collections = [{ ...things, indexes: [['kind', 'nothing']] }]
    expect(await rejection(sqliteDocumentStore({ file: await fileIn(), collections }))).to.include('nothing')
  })
})
