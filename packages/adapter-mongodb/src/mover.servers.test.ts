import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { MongoClient } from 'mongodb'
import { changes } from '@publishing-service/conformance'
import { type Appended, type Change, type Collection, singleReads } from '@publishing-service/ports'
import { documentWriter } from './document-writer.js'
import { insertDocument } from './insert-document.js'
import { migrateCollection } from './migrate-collection.js'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { createMover, type Mover } from './mover.js'
import { type StoredCollection, storedIn } from './stored-collection.js'
import { contentOf } from './stored-document.js'
import {
  all,
  newDatabase,
  nextPosition,
  others,
  quickUrl,
  right,
  soon,
  things,
} from './test-support/database.js'
import { isFerretdb, type MongodbServer, startMongodb } from './test-support/servers.js'

/** Milliseconds for what happens in the background. */
const patience = 15_000

const append = (id: string): Appended => ({
  collection: 'others',
  instance: 2,
  document: { id, position: nextPosition(), unique: null, value: { title: id } },
})
const insertion = (id: string): Change => ({
  kind: 'insert',
  document: { id, position: nextPosition(), unique: id, value: { title: id, tags: ['a'] } },
})
const removal = (id: string): Change => ({ kind: 'remove', id, version: 1 })

/** Of a process that is killed before it moves anything. */
const killed: Mover = {
  move: async () => undefined,
  start: () => undefined,
  expect: () => undefined,
  moveAll: async () => undefined,
  sweep: async () => undefined,
  idle: async () => undefined,
}

describe('appended documents', function () {
  this.timeout(60_000)
  let server: MongodbServer
  let url: string
  let client: MongoClient
  let stored: ReadonlyMap<string, StoredCollection>
  before(async () => {
    server = await startMongodb()
  })
  after(() => server.dispose())
  beforeEach(async () => {
    url = quickUrl(server.url(newDatabase()))
    client = new MongoClient(url)
    const collections = []
    for (const declared of [things, others])
      collections.push(storedIn(client.db(), await migrateCollection(client.db(), declared)))
    stored = new Map(collections.map((each) => [each.layout.name, each]))
  })
  afterEach(async () => {
    await client.db().dropDatabase()
    await client.close()
  })

  const storedOf = (name: string): StoredCollection => stored.get(name) ?? expect.fail(name)
  const open = (collections: readonly Collection[] = [things, others]) =>
    mongodbDocumentStore({ url, collections })
  type Store = Awaited<ReturnType<typeof open>>

  /** A change by a process that is killed right after it. */
  const writeAndDie = async (change: Change, ...appended: readonly Appended[]): Promise<void> => {
    const write = documentWriter(storedOf('things'), killed)
    await right(() => write(1, change, appended))
  }
  const idsIn = async (store: Store, collection: string, instance: number) =>
    (await right(store.find(collection, instance, all))).documents.map(({ id }) => id)
  const expectAppended = (store: Store, ...ids: readonly string[]) =>
    soon(async () => expect(await idsIn(store, 'others', 2)).to.deep.equal(ids), patience)
  const expectNothingPending = () =>
    soon(
      async () =>
        expect(await storedOf('things').documents.countDocuments({ moving: { $exists: true } })).to.equal(0),
      patience,
    )

  it('are visible within a second, while the changed document never shows them', async () => {
    const store = await open()
    const written = await right(store.write('things', 1, insertion('a'), [append('b')]))
    const end = performance.now() + 1000
    while ((await idsIn(store, 'others', 2)).length === 0) expect(performance.now()).to.be.below(end)
    expect(await right(store.get('things', 1, 'a'))).to.deep.equal(written)
    await store.close()
    await expectNothingPending()
  })

  it('of a process that was killed are moved by the next one that opens', async () => {
    await writeAndDie(insertion('a'), append('first'))
    await writeAndDie(insertion('b'))
    await writeAndDie(removal('b'), append('second'), append('third'))
    const store = await open()
    expect(await idsIn(store, 'others', 2)).to.deep.equal(['first', 'second', 'third'])
    expect(await idsIn(store, 'things', 1)).to.deep.equal(['a'])
    await expectNothingPending()
    await store.close()
  })

  it('of a process that was killed are moved by one that is open', async () => {
    const store = await open()
    await writeAndDie(insertion('a'), append('first'))
    await expectAppended(store, 'first')
    await expectNothingPending()
    await store.close()
  })

  it('that are partly moved appear once', async () => {
    const [first, second] = [append('first'), append('second')]
    await writeAndDie(insertion('a'), first, second)
    const target = storedOf('others')
    const origin = { collection: 'things', name: '1/a' }
    await insertDocument(target, 2, first.document, contentOf(target.layout, first.document), { origin })
    const store = await open()
    await expectAppended(store, 'first', 'second')
    await store.close()
  })

  it('that are removed before they are removed from the changed document do not return', async () => {
    const store = await open()
    const appended = append('first')
    await writeAndDie(insertion('a'), appended)
    const target = storedOf('others')
    const origin = { collection: 'things', name: '1/a' }
    await insertDocument(target, 2, appended.document, contentOf(target.layout, appended.document), {
      origin,
    })
    await right(changes(store).remove('others', 2, 'first', 1))
    await expectNothingPending()
    await (await open()).close()
    expect(await idsIn(store, 'others', 2)).to.deep.equal([])
    await store.close()
  })

  it('of a removed document are hidden, and a document with its id and unique text can be inserted', async () => {
    const store = await open()
    const { insert, replace, remove } = changes(store)
    await writeAndDie(insertion('a'))
    await writeAndDie(removal('a'), append('first'))
    expect(await right(store.get('things', 1, 'a'))).to.equal(null)
    expect(await right(singleReads(store).getMany('things', 1, ['a'], 'light'))).to.deep.equal([])
    expect(await idsIn(store, 'things', 1)).to.deep.equal([])
    expect(await right(singleReads(store).countGroups('things', 1, 'tags', { open: null }))).to.deep.equal([])
    for (const change of [
      remove('things', 1, 'a', 1),
      replace('things', 1, { id: 'a', unique: null, version: 1, value: {} }),
    ])
      expect(await change()).to.deep.include({ left: { _tag: 'VersionConflict' } })
    await right(insert('things', 1, { id: 'b', unique: 'a', value: {} }))
    await right(store.write('things', 1, insertion('c'), []))
    await right(insert('things', 1, { id: 'a', unique: null, value: {} }))
    expect(await idsIn(store, 'others', 2)).to.deep.equal(['first'])
    expect(await idsIn(store, 'things', 1)).to.have.members(['a', 'b', 'c'])
    await store.close()
  })

  it('of earlier writes are moved before the document is removed or has new ones', async () => {
    const store = await open()
    await writeAndDie(insertion('a'), append('first'))
    await writeAndDie(insertion('b'), append('second'))
    await right(changes(store).remove('things', 1, 'a', 1))
    const value = { title: 'changed' }
    const replacement: Change = { kind: 'replace', document: { id: 'b', unique: null, version: 1, value } }
    await right(store.write('things', 1, replacement, [append('third')]))
    await expectAppended(store, 'first', 'second', 'third')
    await store.close()
  })

  it('at next positions of two processes have consecutive ones, but for one that is there already', async () => {
    const ids = Array.from({ length: 30 }, (_, number) => `${number + 10}`)
    const origin = { collection: 'things', name: '1/a' }
    const insert = (target: StoredCollection, id: string) => {
      const document = { id, position: { atLeast: 1 }, unique: null, value: {} }
      return insertDocument(target, 2, document, contentOf(target.layout, document), { origin })
    }
    const { layout } = storedOf('others')
    const processes = [1, 2].map(() => storedIn(client.db(), layout))
    const inserted = await Promise.all(processes.flatMap((target) => ids.map((id) => insert(target, id))))
    const kinds = inserted.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'present')).to.have.length(ids.length)
    const found = await storedOf('others')
      .documents.find({}, { sort: { sequence: 1 } })
      .toArray()
    const first = found[0]?.sequence ?? 0
    expect(found.map(({ sequence }) => sequence)).to.deep.equal(ids.map((_, index) => first + index))
    expect(found.map(({ _id }) => _id).toSorted()).to.deep.equal(ids.map((id) => `2/${id}`))
  })

  it('are moved once by two processes at the same time', async () => {
    const ids = Array.from({ length: 40 }, (_, number) => `${number + 10}`)
    for (const id of ids) await writeAndDie(insertion(id), append(id), append(`${id}-second`))
    for (const id of ids.slice(20)) {
      await createMover([], storedOf).move({ collection: 'things', name: `1/${id}` })
      await writeAndDie(removal(id), append(`${id}-third`))
    }
    const movers = [1, 2].map(() => createMover([...stored.values()], storedOf))
    await Promise.all(movers.map(({ moveAll }) => moveAll()))
    const store = await open()
    expect(await idsIn(store, 'others', 2)).to.have.length(100)
    expect(await idsIn(store, 'things', 1)).to.deep.equal(ids.slice(0, 20))
    await expectNothingPending()
    await store.close()
  })

  it('of a collection that a process does not declare are found under its keys by those that do', async () => {
    await writeAndDie(insertion('a'), append('first'))
    await (await open([things])).close()
    await expectNothingPending()
    const store = await open()
    const where = [{ key: 'title', equals: 'first' }]
    expect((await right(store.find('others', 2, { ...all, where }))).documents).to.have.length(1)
    await store.close()
  })

  it('are not lost if the server is killed after the change', async function () {
    // A server that the caller of the tests has named is not theirs to kill.
    if (!isFerretdb) return this.skip()
    const store = await open()
    await right(store.write('things', 1, insertion('a'), [append('first')]))
    await server.kill()
    await server.start()
    await soon(async () => expect(await idsIn(store, 'others', 2)).to.deep.equal(['first']), 30_000)
    await expectNothingPending()
    await store.close()
  })
})
