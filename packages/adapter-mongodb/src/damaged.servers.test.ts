import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { changes } from '@publishing-service/conformance'
import { unreadable } from '@publishing-service/ports'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { all, newDatabase, right, things, withDriver } from './test-support/database.js'
import { type MongodbServer, startMongodb } from './test-support/servers.js'

describe('documents that were damaged in the database', function () {
  this.timeout(30_000)
  let server: MongodbServer
  before(async () => {
    server = await startMongodb()
  })
  after(() => server.dispose())

  it('are given as unreadable, and do not fail the reading of others', async () => {
    const url = server.url(newDatabase())
    const store = await mongodbDocumentStore({ url, collections: [things] })
    const ids = ['a', 'b', 'c']
    for (const title of ids)
      await right(changes(store).insert('things', 1, { id: title, unique: title, value: { title } }))
    await withDriver(url, async (client) => {
      const stored = client.db().collection<{ _id: string }>('documents_things')
      const damage = (id: string, change: object) => stored.updateOne({ _id: id }, { $set: change })
      expect((await damage('1/b', { light: '{"tit' })).modifiedCount).to.equal(1)
      // As another version of the program wrote it.
      expect((await damage('1/c', { light: '{"tit', layout: 0 })).modifiedCount).to.equal(1)
    })
    const isReadable = [true, false, false]
    for (const detail of ['light', 'full'] as const) {
      const { documents } = await right(store.find('things', 1, { ...all, detail }))
      expect(documents.map(({ id }) => id)).to.deep.equal(ids)
      expect(documents.map(({ value }) => value !== unreadable)).to.deep.equal(isReadable)
    }
    expect((await right(store.get('things', 1, 'b')))?.value).to.equal(unreadable)
    await store.close()
    // The documents of the other version are rewritten, except for this one.
    const again = await mongodbDocumentStore({ url, collections: [things] })
    expect((await right(again.get('things', 1, 'c')))?.value).to.equal(unreadable)
    await again.close()
  })
})
