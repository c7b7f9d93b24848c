import { fileURLToPath } from 'node:url'
import {
  crashCollections,
  documentStoreConformance,
  searchConformance,
} from '@publishing-service/conformance'
import type { Collection } from '@publishing-service/ports'
import { after, before } from 'mocha'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { dropDatabase, newDatabase } from './test-support/database.js'
import { type PostgresqlServer, startPostgresql, unreliableConnection } from './test-support/servers.js'

const largestDocument = 16 * 1024 * 1024

/** Milliseconds of a use, in tests of outages. */
const deadline = 1500

let server: PostgresqlServer
before(async function () {
  this.timeout(60_000)
  server = await startPostgresql()
})
after(() => server.dispose())

const open = async (collections: readonly Collection[]) => {
  const database = await newDatabase(server)
  const url = server.url(database)
  const store = await postgresqlDocumentStore({ url, collections })
  return {
    store,
    reopen: (other: readonly Collection[]) => postgresqlDocumentStore({ url, collections: other }),
    dispose: async () => {
      await store.close()
      await dropDatabase(server, database)
    },
  }
}

const openUnreliably = async (collections: readonly Collection[]) => {
  const connection = await unreliableConnection(server.address)
  const database = await newDatabase(server)
  const url = server.url(database, connection.address)
  const store = await postgresqlDocumentStore({ url, collections, deadline })
  return {
    store,
    connection,
    reopen: (other: readonly Collection[]) =>
      postgresqlDocumentStore({ url: server.url(database), collections: other }),
    dispose: async () => {
      await store.close()
      await connection.close()
      await dropDatabase(server, database)
    },
  }
}

documentStoreConformance({
  name: 'postgresqlDocumentStore',
  open,
  maxDocumentBytes: largestDocument,
  lostResponses: async (collections) => {
    const subject = await openUnreliably(collections)
    const { connection } = subject
    return { ...subject, loseResponses: () => connection.loseAfter(/COMMIT\0/), restore: connection.restore }
  },
  crashes: {
    prepare: async () => {
      const database = await newDatabase(server)
      const url = server.url(database)
      const program = fileURLToPath(new URL('test-processes/write-until-killed.js', import.meta.url))
      return {
        program: (writer) => [program, url, writer],
        open: () => postgresqlDocumentStore({ url, collections: crashCollections }),
        dispose: async () => {
          await dropDatabase(server, database)
        },
      }
    },
  },
  outages: {
    deadline,
    open: async (collections) => ({
      ...(await openUnreliably(collections)),
      restartServer: async () => {
        await server.kill()
        await server.start()
      },
    }),
  },
})

searchConformance({ name: 'postgresqlDocumentStore', open })
