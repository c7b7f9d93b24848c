import { fileURLToPath } from 'node:url'
import {
  crashCollections,
  documentStoreConformance,
  searchConformance,
} from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { after, before } from 'mocha'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { largestDocument } from './stored-document.js'
import { newDatabase, quickUrl, withDriver } from './test-support/database.js'
import { isFerretdb, type MongodbServer, startMongodb, unreliableConnection } from './test-support/servers.js'

let server: MongodbServer
before(async () => {
  server = await startMongodb()
})
after(() => server.dispose())

const deadline = 1500

/** Of tests that wait for FerretDB, which takes seconds for the largest document on a busy machine; in milliseconds. */
const patience = 120_000
const program = fileURLToPath(new URL('./test-processes/write-until-killed.js', import.meta.url))

const restartServer = async (): Promise<void> => {
  await server.kill()
  await server.start()
}

const open = async (collections: readonly Collection[]) => {
  const url = server.url(newDatabase())
  const store = await mongodbDocumentStore({ url, collections, deadline: patience })
  return {
    store,
    reopen: (other: readonly Collection[]) =>
      mongodbDocumentStore({ url, collections: other, deadline: patience }),
    dispose: async () => {
      await store.close()
      await withDriver(url, (client) => client.db().dropDatabase())
    },
  }
}

/** A store behind a proxy that interrupts its connections. */
const openBehindProxy = async (collections: readonly Collection[]) => {
  const connection = await unreliableConnection(server.address)
  const database = newDatabase()
  const direct = server.url(database)
  const url = quickUrl(server.url(database, connection.address))
  const store = await mongodbDocumentStore({ url, collections, deadline })
  return {
    store,
    connection,
    reopen: (other: readonly Collection[]) => mongodbDocumentStore({ url: direct, collections: other }),
    dispose: async () => {
      await store.close()
      await connection.close()
      await withDriver(direct, (client) => client.db().dropDatabase())
    },
  }
}

documentStoreConformance({
  name: 'mongodbDocumentStore',
  open,
  lostResponses: async (collections) => {
    const subject = await openBehindProxy(collections)
    return {
      ...subject,
      loseResponses: () => subject.connection.loseAfter(/committed/),
      restore: subject.connection.restore,
    }
  },
  crashes: {
    prepare: async () => {
      const url = server.url(newDatabase())
      return {
        program: (writer) => [program, url, writer],
        open: () => mongodbDocumentStore({ url, collections: crashCollections }),
        dispose: () => withDriver(url, async (client) => void (await client.db().dropDatabase())),
      }
    },
  },
  outages: {
    deadline,
    open: async (collections) => ({
      ...(await openBehindProxy(collections)),
      // A server that the caller of the tests has named is not theirs to kill.
      ...(isFerretdb ? { restartServer } : {}),
    }),
  },
  maxDocumentBytes: largestDocument,
  deviations: {
    unevenPages: isFerretdb
      ? 'FerretDB 1 reads the whole collection for every page; MongoDB has an index for each.'
      : undefined,
    unevenGroupCounts:
      'A group count reads an index entry for each document with a text and the requested values (an estimated second for a million of them on MongoDB); FerretDB 1 reads the whole collection.',
    blurredSnapshots:
      'Without transactions, which FerretDB 1 and a single MongoDB lack, nothing reads the documents of one moment.',
    fullStorage: 'Its server has the disk: mongodb-failure.test.ts has what servers answer.',
  },
  timeout: 300_000,
})

searchConformance({ name: 'mongodbDocumentStore', open, timeout: 300_000 })
