import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { MongoClient } from 'mongodb'
import { appended, changes, expected, inserted, removed, replaced } from '@publishing-service/conformance'
import { type Change, type Collection, type DocumentStore, singleReads } from '@publishing-service/ports'
import { applyChanges } from './apply-intent.js'
import { type Concluder, concluderOf } from './conclude-intents.js'
import { DocumentReader } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { type Intent, type Intents, intentsIn } from './intents.js'
import { migrateCollection } from './migrate-collection.js'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { type StoredCollection, storedIn } from './stored-collection.js'
import { contentOf, type StoredDocument } from './stored-document.js'
import { takerOf } from './take-document.js'
import { all, newDatabase, others, quickUrl, right, soon, things } from './test-support/database.js'
import { isFerretdb, type MongodbServer, startMongodb } from './test-support/servers.js'

/** Milliseconds in which what a process has left is concluded. */
const patience = 30_000

class Killed extends Error {}

describe('intents', function () {
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
    client = new MongoClient(url, { monitorCommands: true })
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
  const idsIn = async (store: DocumentStore, collection: string, instance = 1) =>
    (await right(store.find(collection, instance, all))).documents.map(({ id }) => id)
  const expectNoIntent = () =>
    soon(async () => expect((await intentsIn(client.db()).list()).size).to.equal(0), patience)

  /** A writer of this process, with other intents or another concluder. */
  const writerWith = (intents: Intents, concluder: Concluder) => {
    const partitionOf = (name: string) => ({
      stored: storedOf(name),
      read: new DocumentReader(storedOf(name), false, patience),
    })
    const taker = takerOf(concluder.isConcluded)
    return new DocumentWriter({
      partitionOf,
      storedIn: storedOf,
      intents,
      concluder,
      taker,
      deadline: patience,
    })
  }

  /** A write of a process that is killed at a stage: it does nothing afterwards. */
  const writeAndDie = async (
    changed: readonly Change[],
    added: Parameters<DocumentStore['write']>[2],
    at: (intents: Intents) => Partial<Intents>,
    own: Concluder['own'] = async (_id, work) => (await work())[0],
  ): Promise<void> => {
    const intents = intentsIn(client.db())
    const killed = { ...intents, ...at(intents) }
    const writer = writerWith(killed, { ...concluderOf(killed, storedOf), own })
    await writer.write(1, changed, added).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error
      },
    )
  }
  const kill = async (): Promise<never> => {
    throw new Killed()
  }
  const stages: Readonly<Record<string, (intents: Intents) => Partial<Intents>>> = {
    'before it is prepared': () => ({ add: kill }),
    'before it is committed': () => ({ commit: kill }),
    'after it was committed': ({ commit }) => ({ commit: async (id) => (await commit(id)) && kill() }),
    'after the changes were applied': () => ({}),
  }

  const value = { title: 'old', tags: ['old'] }
  const prepareDocuments = async (store: DocumentStore): Promise<void> => {
    for (const id of ['a', 'b', 'c'])
      await right(changes(store).insert('things', 1, { id, unique: id, value }))
  }
  const several = [
    replaced('things', 'a', 1, { title: 'new', tags: ['new'] }, 'new'),
    removed('things', 'b', 1),
    expected('things', 'c'),
    inserted('others', 'd', { title: 'new' }, 'd'),
  ]
  const added = [appended('others', 2, 'appended', { title: 'new' })]

  const expectBefore = async (store: DocumentStore): Promise<void> => {
    expect(await idsIn(store, 'things')).to.deep.equal(['a', 'b', 'c'])
    expect((await right(store.get('things', 1, 'a')))?.value).to.deep.equal(value)
    expect(await right(store.get('others', 1, 'd'))).to.equal(null)
    expect(await right(singleReads(store).getMany('others', 1, ['d'], 'light'))).to.deep.equal([])
    expect(await idsIn(store, 'others')).to.deep.equal([])
    expect(await right(store.count('others', 1, { where: [] }, 10))).to.equal(0)
    expect(await right(singleReads(store).countGroups('things', 1, 'tags', { open: null }))).to.deep.equal([
      { text: 'old', count: 3 },
    ])
  }
  const expectAfter = async (store: DocumentStore): Promise<void> => {
    expect(await idsIn(store, 'things')).to.deep.equal(['a', 'c'])
    expect(await right(store.get('things', 1, 'a'))).to.deep.include({
      version: 2,
      value: { title: 'new', tags: ['new'] },
    })
    expect(await right(store.get('things', 1, 'b'))).to.equal(null)
    expect(await idsIn(store, 'others')).to.deep.equal(['d'])
    expect(await idsIn(store, 'others', 2)).to.deep.equal(['appended'])
  }

  for (const [stage, at] of Object.entries(stages)) {
    const isMade = stage.startsWith('after')
    it(`of a process that was killed ${stage} are ${isMade ? 'applied by the next that opens' : 'withdrawn'}`, async () => {
      const first = await open()
      await prepareDocuments(first)
      await first.close()
      await writeAndDie(several, added, at)
      const store = await open()
      await (isMade ? expectAfter : expectBefore)(store)
      await expectNoIntent()
      await (isMade ? expectAfter : expectBefore)(store)
      await store.close()
    })

    it(`of a process that was killed ${stage} are concluded by those that are open, and by the next writer`, async () => {
      const store = await open()
      await prepareDocuments(store)
      await writeAndDie(several, added, at)
      const start = performance.now()
      const { replace, insert } = changes(store)
      const version = isMade ? 2 : 1
      await right(replace('things', 1, { id: 'a', unique: null, version, value: {} }))
      await right(replace('things', 1, { id: 'c', unique: isMade ? 'a' : 'new', version: 1, value: {} }))
      await right(insert('others', 1, { id: isMade ? 'e' : 'd', unique: isMade ? 'f' : 'd', value: {} }))
      expect(performance.now() - start, 'milliseconds of waiting').to.be.below(8000)
      expect(await idsIn(store, 'things')).to.deep.equal(isMade ? ['a', 'c'] : ['a', 'b', 'c'])
      expect(await idsIn(store, 'others')).to.deep.equal(isMade ? ['d', 'e'] : ['d'])
      await soon(async () =>
        expect(await idsIn(store, 'others', 2)).to.deep.equal(isMade ? ['appended'] : []),
      )
      await expectNoIntent()
      await store.close()
    })
  }

  it('that were applied in part are applied completely, once, by two processes at the same time', async () => {
    const first = await open()
    await prepareDocuments(first)
    await first.close()
    const intents = intentsIn(client.db())
    await writeAndDie(several, added, ({ commit }) => ({
      commit: async (id) => {
        await commit(id)
        const intent: Intent | null = await intents.read(id)
        if (intent === null) return expect.fail('no intent')
        await applyChanges({ ...intent, parts: intent.parts.slice(0, 2) }, storedOf)
        return kill()
      },
    }))
    const stores = await Promise.all([open(), open()])
    for (const store of stores) await expectAfter(store)
    await expectNoIntent()
    for (const store of stores) await store.close()
  })

  it('that another writer has withdrawn are prepared again', async () => {
    const store = await open()
    await prepareDocuments(store)
    const intents = intentsIn(client.db())
    let commits = 0
    const late: Intents = {
      ...intents,
      commit: async (id) => {
        if (++commits === 1) expect(await intents.withdraw(id)).to.equal(true)
        return intents.commit(id)
      },
    }
    const concluder = concluderOf(late, storedOf)
    await right(() => writerWith(late, concluder).write(1, several, added))
    await concluder.idle()
    expect(commits).to.equal(2)
    await expectAfter(store)
    await store.close()
  })

  it('are committed or withdrawn, never both', async () => {
    const intents = intentsIn(client.db())
    for (const id of ['a', 'b', 'c', 'd']) {
      await intents.add({ id, state: 'prepared', parts: [] })
      const [isCommitted, isWithdrawn] = await Promise.all([intents.commit(id), intents.withdraw(id)])
      expect(isCommitted).to.equal(!isWithdrawn)
      await intents.remove(id)
      expect(await intents.commit(id)).to.equal(false)
    }
  })

  it('with more than a document of MongoDB holds are stored in several', async () => {
    const intents = intentsIn(client.db())
    const { layout } = storedOf('things')
    const parts = Array.from({ length: 3 }, (_, version) => {
      const document = { id: 'a', unique: null, value: { content: 'x'.repeat(4_500_000) } }
      const { stored: content } = contentOf(layout, 1, document)
      return { collection: 'things', name: `1/${version}`, kind: 'replace', version, content } as const
    })
    await intents.add({ id: 'large', state: 'committed', parts })
    const read = await intents.read('large')
    expect(read?.parts.map(({ name }) => name)).to.deep.equal(parts.map(({ name }) => name))
    expect([...(await intents.list())]).to.deep.equal([['large', { state: 'committed', size: 3 }]])
    await intents.remove('large')
    expect((await intents.list()).size).to.equal(0)
  })

  it('leave marks, claims and hidden documents that keep nobody away, if their commands arrive late', async () => {
    const store = await open()
    await prepareDocuments(store)
    const { documents } = storedOf('things')
    const change = (id: string, set: Partial<StoredDocument>) =>
      documents.updateOne({ _id: `1/${id}` }, { $set: set })
    await change('a', { mark: 'gone', claim: '1=text' })
    await change('b', { shared: ['gone', 'gone too'] })
    const { stored: content } = contentOf(storedOf('things').layout, 1, { id: 'e', unique: 'e', value: {} })
    await documents.insertOne({
      _id: '1/e',
      instance: '1/e',
      version: 1,
      sequence: 0,
      mark: 'late',
      ...content,
    })
    const { insert, replace, remove } = changes(store)
    await right(insert('things', 1, { id: 'd', unique: 'text', value: {} }))
    await right(replace('things', 1, { id: 'a', unique: 'e', version: 1, value: {} }))
    await right(remove('things', 1, 'b', 1))
    await right(insert('things', 1, { id: 'e', unique: null, value: {} }))
    expect(await idsIn(store, 'things')).to.deep.equal(['a', 'c', 'd', 'e'])
    await store.close()
  })

  it('claim the texts of documents that a withdrawn one has left without claims, before they are committed', async () => {
    const store = await open()
    await prepareDocuments(store)
    const replacing = [replaced('things', 'a', 1, {}, 'a'), replaced('things', 'b', 1, {}, 'b')]
    const refused = await store.write(1, [...replacing, inserted('things', 'd', {}, 'c')], [])()
    expect(refused).to.deep.equal({ _tag: 'Left', left: { _tag: 'UniqueConflict', change: 2 } })
    await expectNoIntent()
    const intents = intentsIn(client.db())
    const concurrent: Promise<unknown>[] = []
    const late: Intents = {
      ...intents,
      commit: async (id) => {
        concurrent.push(store.write(1, [inserted('things', 'd', {}, 'a'), inserted('things', 'e')], [])())
        await setTimeout(300)
        return intents.commit(id)
      },
    }
    const concluder = concluderOf(late, storedOf)
    await right(() => writerWith(late, concluder).write(1, replacing, []))
    expect(await Promise.all(concurrent)).to.deep.equal([
      { _tag: 'Left', left: { _tag: 'UniqueConflict', change: 0 } },
    ])
    await concluder.idle()
    await expectNoIntent()
    await store.close()
  })

  it('show a document at the position that they return, after a claim was in the way', async () => {
    const store = await open()
    await prepareDocuments(store)
    await storedOf('things').documents.updateOne({ _id: '1/a' }, { $set: { mark: 'gone', claim: '1=text' } })
    const [written] = await right(
      store.write(1, [inserted('things', 'd', {}, 'text'), expected('things', 'c')], []),
    )
    expect(await right(store.get('things', 1, 'd'))).to.deep.equal(written)
    await store.close()
  })

  it('whose appended documents are removed before they are concluded do not bring them back', async () => {
    const store = await open()
    await writeAndDie([inserted('things', 'a')], added, stages['after it was committed'] ?? expect.fail())
    await soon(async () => expect(await idsIn(store, 'others', 2)).to.deep.equal(['appended']), patience)
    await right(changes(store).remove('others', 2, 'appended', 1))
    await expectNoIntent()
    await (await open()).close()
    expect(await idsIn(store, 'others', 2)).to.deep.equal([])
    await store.close()
  })

  it('mark documents in different versions, with marks of earlier intents, by one command', async () => {
    const intents = intentsIn(client.db())
    const concluder = concluderOf(intents, storedOf)
    const writer = writerWith(intents, concluder)
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const id of ids) {
      await right(() =>
        writer.write(1, [inserted('things', id, value, id), inserted('others', id, value)], []),
      )
      await concluder.idle()
    }
    for (const id of ids.slice(2)) {
      const again = [replaced('things', id, 1, value, id), expected('others', id)]
      await right(() => writer.write(1, again, []))
      await concluder.idle()
    }
    const updates: unknown[] = []
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'update') updates.push(command['update'])
    })
    const removals = ids.map((id, index) => removed('things', id, index < 2 ? 1 : 2))
    await right(() => writer.write(1, removals, []))
    const ofThings = storedOf('things').documents.collectionName
    // One marks them, and one hides them.
    expect(updates.filter((name) => name === ofThings)).to.have.lengthOf(2)
    await concluder.idle()
  })

  it('have appended when a write has returned, for queries of its process in an order', async () => {
    const log: Collection = { ...others, name: 'log', inCommitOrder: true }
    const store = await open([things, log])
    const byTitle = { ...all, order: [{ key: 'title', direction: 'desc' }] } as const
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await right(
        store.write(1, [inserted('things', id, value, id)], [appended('log', 1, id, { title: id })]),
      )
      const { documents } = await right(store.find('log', 1, byTitle))
      expect(documents.map((each) => each.id)).to.include(id)
    }
    await store.close()
  })

  it('give next positions of two processes in sequence, to inserted and to appended documents', async () => {
    const ids = Array.from({ length: 20 }, (_, number) => `${number + 10}`)
    const stores = await Promise.all([open(), open()])
    const next = (id: string) => ({ id, position: { atLeast: 1 }, unique: null, value: {} })
    await Promise.all(
      stores.flatMap((store, i) =>
        ids.map((id) =>
          right(
            store.write(
              1,
              [{ collection: 'others', kind: 'insert', document: next(`${i}-${id}`) }],
              [{ collection: 'others', instance: 1, document: next(`${i}-${id}-appended`) }],
            ),
          ),
        ),
      ),
    )
    await expectNoIntent()
    const { documents } = await right(stores[0].find('others', 1, all))
    const [first] = documents
    expect(documents.map(({ position }) => position)).to.deep.equal(
      documents.map((_, index) => (first?.position ?? 0) + index),
    )
    expect(documents).to.have.length(4 * ids.length)
    const found = documents.map(({ id }) => id)
    for (const id of found.filter((each) => !each.endsWith('appended')))
      expect(found.indexOf(id)).to.be.below(found.indexOf(`${id}-appended`))
    for (const store of stores) await store.close()
  })

  it('append to a collection that a process does not declare, and those that do find it under its keys', async () => {
    await writeAndDie([inserted('things', 'a')], added, stages['after it was committed'] ?? expect.fail())
    await (await open([things])).close()
    await expectNoIntent()
    const store = await open()
    const where = [{ key: 'title', equals: 'new' }]
    expect((await right(store.find('others', 2, { ...all, where }))).documents).to.have.length(1)
    await store.close()
  })

  it('bring in what earlier versions have appended, with tombstones, when the store opens', async () => {
    const first = await open()
    await prepareDocuments(first)
    await first.close()
    const former = (id: string) => ({
      collection: 'others',
      instance: 2,
      id,
      position: Number(id),
      value: JSON.stringify({ title: id }),
    })
    const changed = client.db().collection<{ _id: string }>('documents_things')
    await changed.createIndex({ moving: 1 }, { name: 'moving', sparse: true })
    await changed.updateOne({ _id: '1/a' }, { $set: { moving: 'x', appended: [former('1'), former('2')] } })
    const tombstone = { _id: '1/d', instance: '1/d', sequence: 4, removed: true, moving: 'y' }
    await changed.insertOne({ ...tombstone, appended: [{ ...former('3'), version: 7 }] } as { _id: string })
    const records = client.db().collection<{ _id: string }>('store')
    await records.updateOne({ _id: 'format' }, { $set: { version: 2 } })
    const store = await open()
    expect(await idsIn(store, 'things')).to.deep.equal(['a', 'b', 'c'])
    const { documents } = await right(store.find('others', 2, all))
    expect(documents.map(({ id, version, value: { title } }) => [id, version, title])).to.deep.equal([
      ['1', 1, '1'],
      ['2', 1, '2'],
      ['3', 7, '3'],
    ])
    expect(await changed.countDocuments({ moving: { $exists: true } })).to.equal(0)
    expect(await records.findOne({ _id: 'format' })).to.deep.equal({ _id: 'format', version: 3 })
    await right(changes(store).insert('things', 1, { id: 'd', unique: null, value: {} }))
    await store.close()
  })

  it('are not lost if the server is killed after the change', async function () {
    // A server that the caller of the tests has named is not theirs to kill.
    if (!isFerretdb) return this.skip()
    const store = await open()
    await right(store.write(1, [inserted('things', 'a')], added))
    await server.kill()
    await server.start()
    await soon(async () => expect(await idsIn(store, 'others', 2)).to.deep.equal(['appended']), 30_000)
    await expectNoIntent()
    await store.close()
  })
})
