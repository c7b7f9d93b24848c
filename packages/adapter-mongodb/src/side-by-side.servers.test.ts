import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { MongoClient } from 'mongodb'
import { changes } from '@publishing-service/conformance'
import { type Collection, singleReads } from '@publishing-service/ports'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { rewriteOutdated, migrateCollection } from './migrate-collection.js'
import { all, newDatabase, right, things, withDriver } from './test-support/database.js'
import { type MongodbServer, startMongodb } from './test-support/servers.js'

const older: Collection = things
const newer: Collection = {
  name: 'things',
  heavy: ['note'],
  keys: { title: 'text', kind: 'text' },
  indexes: [['kind', 'title']],
  groupCounts: [],
}
const newest: Collection = {
  name: 'things',
  heavy: ['note'],
  keys: { kind: 'text' },
  indexes: [],
  groupCounts: [],
}
const value = { title: 'a', kind: 'x', rank: 1, content: 'long', note: 'long too' }

describe('mongodbDocumentStore, with an older version of the program at work', function () {
  this.timeout(30_000)
  let server: MongodbServer
  let url: string
  before(async () => {
    server = await startMongodb()
  })
  after(() => server.dispose())
  beforeEach(() => {
    url = server.url(newDatabase())
  })

  const open = (declared: Collection) => mongodbDocumentStore({ url, collections: [declared] })

  it('each reads its light attributes of documents that the other has written', async () => {
    const [first, second] = [await open(older), await open(newer)]
    await right(changes(first).insert('things', 1, { id: 'first', unique: null, value }))
    await right(changes(second).insert('things', 1, { id: 'second', unique: null, value }))
    const light = { ...all, detail: 'light' } as const
    const { content: _content, ...lightForOlder } = value
    const { note: _note, ...lightForNewer } = value
    const values = async (store: typeof first) =>
      (await right(store.find('things', 1, light))).documents.map((document) => document.value)
    expect(await values(first)).to.deep.equal([lightForOlder, lightForOlder])
    expect(await values(second)).to.deep.equal([lightForNewer, lightForNewer])
    const many = await right(singleReads(second).getMany('things', 1, ['first'], 'light'))
    expect(many.map((document) => document.value)).to.deep.equal([lightForNewer])
    await Promise.all([first.close(), second.close()])
  })

  it('the newer catches up with what the older has written since, and leaves what a newer one wrote', async () => {
    const [first, second] = [await open(older), await open(newer)]
    await right(changes(first).insert('things', 1, { id: 'late', unique: null, value }))
    const found = async () =>
      (await right(second.find('things', 1, { ...all, where: [{ key: 'kind', equals: 'x' }] }))).documents
    expect(await found()).to.deep.equal([])
    const client = new MongoClient(url)
    const layout = await migrateCollection(client.db(), newer)
    await right(changes(first).insert('things', 1, { id: 'later', unique: null, value }))
    await rewriteOutdated(client.db(), layout)
    expect((await found()).map(({ id }) => id)).to.deep.equal(['late', 'later'])
    // A process of the older version that starts again writes what the newer needs too.
    const again = await open({ ...older, heavy: newer.heavy })
    await right(changes(again).insert('things', 1, { id: 'again', unique: null, value }))
    expect((await found()).map(({ id }) => id)).to.deep.equal(['late', 'later', 'again'])
    await client.close()
    await Promise.all([first.close(), second.close(), again.close()])
  })

  it('indexes that the older needs stay, and go with the version after the newer', async () => {
    const client = new MongoClient(url)
    const names = async (declared: Collection) => {
      await (await open(declared)).close()
      const indexes = await client.db().collection('documents_things').listIndexes().toArray()
      return indexes.map(({ name }) => String(name))
    }
    expect(await names(older)).to.include('by_open_asc_rank_asc')
    expect(await names(newer)).to.include.members(['by_open_asc_rank_asc', 'by_kind_asc_title_asc'])
    // The newest declares nothing new: what the newer needed is there for those that still run.
    expect(await names(newest)).to.include('by_kind_asc_title_asc')
    expect(await names({ ...newest, keys: { kind: 'text', size: 'number' } })).not.to.include(
      'by_open_asc_rank_asc',
    )
    await client.close()
  })

  it('words of a version with another folding are made again before the store is open', async () => {
    const searched = { ...older, searched: [{ name: 'title', level: 'title', isMarkup: false } as const] }
    const first = await open(searched)
    await right(
      changes(first).insert('things', 1, { id: 'street', unique: null, value: { title: 'Straße' } }),
    )
    await first.close()
    await withDriver(url, async (client) => {
      const database = client.db()
      await database.collection('documents_things').updateMany({}, { $set: { words: ['astraße'] } })
      await database
        .collection<{ _id: string }>('store')
        .updateOne({ _id: 'collection things' }, { $set: { words: JSON.stringify([2, searched.searched]) } })
    })
    const store = await open(searched)
    const words = { terms: [{ readings: [['strasse']], isPrefix: false }], best: 'title' } as const
    const { documents } = await right(store.find('things', 1, { ...all, words }))
    expect(documents.map(({ id }) => id)).to.deep.equal(['street'])
    await store.close()
  })

  it('documents of a version that numbered insertions keep their order, and come before new ones', async () => {
    const first = await open(older)
    const inserting = changes(first)
    for (const id of ['b', 'a'])
      await right(inserting.insert('things', 1, { id, unique: null, value: { open: true } }))
    await first.close()
    await withDriver(url, async (client) => {
      const database = client.db()
      const stored = database.collection<{ _id: string }>('documents_things')
      for (const [_id, sequence] of [
        ['1/b', 1],
        ['1/a', 2],
      ] as const)
        await stored.updateOne({ _id }, { $set: { sequence } })
      await stored.dropIndex('one_position')
      await stored.createIndex({ instance: 1, sequence: 1 }, { name: 'insertion' })
      await database
        .collection<{ _id: string }>('store')
        .updateOne({ _id: 'format' }, { $set: { version: 1 } })
    })
    const store = await open(older)
    await right(changes(store).insert('things', 1, { id: 'c', unique: null, value: { open: true } }))
    const found = async (query: Partial<typeof all>) =>
      (await right(store.find('things', 1, { ...all, ...query }))).documents.map(({ id }) => id)
    expect(await found({})).to.deep.equal(['b', 'a', 'c'])
    expect(await found({ insertion: 'desc', limit: 2 })).to.deep.equal(['c', 'a'])
    expect(await found({ order: [{ key: 'open', direction: 'desc' }] })).to.deep.equal(['c', 'a', 'b'])
    await store.close()
    await withDriver(url, async (client) => {
      const indexes = await client.db().collection('documents_things').listIndexes().toArray()
      expect(indexes.map(({ name }) => String(name)))
        .to.include('one_position')
        .and.not.include('insertion')
      const format = await client.db().collection<{ _id: string }>('store').findOne({ _id: 'format' })
      expect(format).to.include({ version: 3 })
    })
  })
})
