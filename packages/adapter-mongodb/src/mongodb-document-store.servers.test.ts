import { documentStoreConformance } from '@publishing-service/conformance'
import { randomUUID } from 'node:crypto'
import { after, before } from 'mocha'
import { MongoClient } from 'mongodb'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { isFerretdb, type MongodbServer, startMongodb } from './test-support/servers.js'

let server: MongodbServer
before(async () => {
  server = await startMongodb()
})
after(() => server.dispose())

documentStoreConformance({
  name: 'mongodbDocumentStore',
  open: async (collections) => {
    const url = server.url(`conformance-${randomUUID()}`)
    const store = await mongodbDocumentStore({ url, collections })
    return {
      store,
      reopen: (other) => mongodbDocumentStore({ url, collections: other }),
      dispose: async () => {
        await store.close()
        const client = new MongoClient(url)
        await client.db().dropDatabase()
        await client.close()
      },
    }
  },
  refusesAbove: 16 * 1024 * 1024,
  deviations: {
    unevenPages: isFerretdb
      ? 'FerretDB 1 reads the whole collection for every page; MongoDB has an index for each.'
      : undefined,
    unevenTallies:
      'A tally reads one entry of an index for each document that has a text and the asked values (by estimate a second for a million of them on MongoDB); FerretDB 1 reads the whole collection.',
  },
  timeout: 300_000,
})
