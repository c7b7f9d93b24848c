import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { changes, expectExamined } from '@publishing-service/conformance'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { describeMongodbDatabase, examineMongodbDatabase } from './open-database.js'
import { newDatabase, rejection, right, things, withDriver } from './test-support/database.js'
import { type MongodbServer, startMongodb } from './test-support/servers.js'

const collections = [things]

describe('mongodbDocumentStore, when it is opened', function () {
  this.timeout(30_000)
  let server: MongodbServer
  before(async () => {
    server = await startMongodb()
  })
  after(() => server.dispose())

  const refusal = async (url: string): Promise<string> => {
    const start = performance.now()
    const message = await rejection(mongodbDocumentStore({ url, collections }))
    expect(performance.now() - start, 'milliseconds until it gave up').to.be.below(10_000)
    expect(message).not.to.include('hidden-word')
    return message
  }

  it('reports an invalid connection string, without its secret', async () => {
    expect(await refusal('postgres://user:hidden-word@127.0.0.1/x')).to.include('mongodb://')
    expect(await refusal('mongodb://user:hidden-word@127.0.0.1:99999999/x')).to.include("can't be opened")
    expect(await refusal('mongodb://user:hidden-word@/x')).to.include("can't be opened")
    expect(await refusal('mongodb://user:hidden-word@127.0.0.1/x?nonsense=1')).to.include('nonsense')
    expect(await refusal('')).to.include('mongodb://')
    for (const sign of ['/', '?', '#', '@', '%', '%zz', ':', '%2F'])
      expect(await refusal(`mongodb://user:a${sign}hidden-word@127.0.0.1:99999/x`)).to.include(
        "can't be opened",
      )
  })

  it('fails if a name is not resolved in time', async () => {
    const [nobody, servers] = [createSocket('udp4'), getServers()]
    nobody.bind(0, '127.0.0.1')
    await once(nobody, 'listening')
    setServers([`127.0.0.1:${nobody.address().port}`])
    try {
      const message = await refusal('mongodb+srv://user:hidden-word@db.example.org/x')
      expect(message).to.match(/on mongodb\+srv:\/\/db\.example\.org\/x: no response within 7000 ms/)
    } finally {
      setServers(servers)
      nobody.close()
    }
  })

  it('reports an unknown host, and a port without a server', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    listener.close()
    await once(listener, 'close')
    const port = typeof address === 'object' ? address?.port : 0
    const [ofHost, ofPort] = await Promise.all(
      ['no-such-host.invalid', `127.0.0.1:${port}`].map((host) =>
        refusal(`mongodb://user:hidden-word@${host}/x`),
      ),
    )
    expect(ofHost).to.include('no-such-host.invalid')
    expect(ofPort).to.include(`127.0.0.1:${port}`)
  })

  it('fails if a server accepts connections and does not respond', async () => {
    const silent = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await refusal(`mongodb://user:hidden-word@127.0.0.1:${port}/x`)).to.include(`127.0.0.1:${port}`)
    silent.close()
  })

  it('reports that the server rejects the password', async () => {
    const url = server.url('x').replace('mongodb://', 'mongodb://nobody:hidden-word@')
    expect(await refusal(url)).to.match(/rejects the user or the password|authentication/i)
  })

  it('rejects data of a later version of the program', async () => {
    const database = newDatabase()
    const url = server.url(database)
    await (await mongodbDocumentStore({ url, collections })).close()
    await withDriver(url, async (client) => {
      const records = client.db(database).collection<{ _id: string; version: number }>('store')
      await records.updateOne({ _id: 'format' }, { $set: { version: 99 } })
    })
    expect(await refusal(url)).to.include('later version')
  })

  it('rejects a collection that needs more than 60 indexes', async () => {
    const names = Array.from({ length: 57 }, (_, number) => `key_${number}`)
    const keys = Object.fromEntries(names.map((key) => [key, 'text' as const]))
    const large = { ...things, keys, indexes: names.map((key) => [key]), groupCounts: [] }
    const url = server.url(newDatabase())
    expect(await rejection(mongodbDocumentStore({ url, collections: [large] }))).to.include(
      'things needs 61 indexes',
    )
  })

  it('by eight processes at once on an empty database', async () => {
    const url = server.url(newDatabase())
    const stores = await Promise.all(
      Array.from({ length: 8 }, () =>
        mongodbDocumentStore({ url, collections: [things, { ...things, name: 'others' }] }),
      ),
    )
    await Promise.all(
      stores.map((store, i) =>
        right(changes(store).insert('others', 1, { id: `${i}`, unique: null, value: {} })),
      ),
    )
    await Promise.all(stores.map((store) => store.close()))
  })

  it('uses the database that the connection string names, else publishing_service', async () => {
    const database = newDatabase()
    await (await mongodbDocumentStore({ url: server.url(database), collections })).close()
    await withDriver(server.url(database), async (client) => {
      const { databases } = await client.db().admin().listDatabases()
      expect(databases.map(({ name }) => name)).to.include(database)
    })
  })

  it('is described before, and the description changes nothing', async () => {
    const url = server.url(newDatabase())
    const describedNow = async (declared = collections) => {
      const { server: name, time, schema } = await describeMongodbDatabase(url, declared)
      expect(name).to.match(/^(?:MongoDB|FerretDB)/)
      expect(Math.abs((time ?? 0) - Date.now())).to.be.below(60_000)
      return schema
    }
    expect([await describedNow(), await describedNow()]).to.deep.equal(['empty', 'empty'])
    await (await mongodbDocumentStore({ url, collections })).close()
    expect(await describedNow()).to.equal('current')
    const changed = [{ ...things, keys: { ...things.keys, further: 'text' } } as const]
    expect([await describedNow(changed), await describedNow(changed)]).to.deep.equal(['outdated', 'outdated'])
    const unreachable = describeMongodbDatabase('mongodb://user:hidden-word@127.0.0.1:1/x', collections)
    expect(await rejection(unreachable))
      .to.include("can't be opened")
      .and.not.to.include('hidden-word')
  })

  it('is examined before: what opening does with each collection, and its documents, without a change', async () => {
    const url = server.url(newDatabase())
    await expectExamined({
      open: (declared) => mongodbDocumentStore({ url, collections: declared }),
      examine: (declared, read) => examineMongodbDatabase({ url, collections: declared }, read),
    })
  })
})
