import { fileURLToPath } from 'node:url'
import {
  crashCollections,
  documentStoreConformance,
  type FullStorageSubject,
  searchConformance,
} from '@publishing-service/conformance'
import { E, type Either } from '@publishing-service/domain/fp'
import { type Collection, singleChanges } from '@publishing-service/ports'
import { after, before } from 'mocha'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { dropDatabase, newDatabase, withDriver } from './test-support/database.js'
import { canMount, mountSmallDisk } from './test-support/small-disk.js'
import { type PostgresqlServer, startPostgresql, unreliableConnection } from './test-support/servers.js'

const largestDocument = 16 * 1024 * 1024

/** Milliseconds of a use, in tests of outages. */
const deadline = 1500

let position = 1_000_000

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

/** The database is on a small disk, and the write-ahead log of the server is not: if that were full, the server would stop. */
const openOnSmallDisk = async (collections: readonly Collection[]): Promise<FullStorageSubject> => {
  const disk = await mountSmallDisk()
  const asOperator = (statement: string): Promise<unknown> =>
    withDriver(server.url('postgres'), (client) => client.query(statement))
  await asOperator(`CREATE TABLESPACE small LOCATION '${disk.folder}'`)
  const database = await newDatabase(server, 'small')
  const url = server.url(database)
  const store = await postgresqlDocumentStore({ url, collections })
  return {
    store,
    reservesSpace: false,
    reopen: (other) => postgresqlDocumentStore({ url, collections: other }),
    fill: async () => {
      await disk.fill()
      // There is space in the pages of tables and indexes; those of the instance of the test are between these two.
      const { insert } = singleChanges(store, () => ++position)
      for (const instance of [2, 0]) {
        let outcome: Either<unknown, unknown> = E.right(null)
        for (let i = 0; E.isRight(outcome); i++)
          outcome = await insert('things', instance, { id: `${i}`, unique: null, value: {} })()
      }
      return store
    },
    freeSpace: async () => {
      await disk.freeSpace()
      return store
    },
    dispose: async () => {
      await store.close()
      await dropDatabase(server, database)
      await asOperator('DROP TABLESPACE small')
      await disk.remove()
    },
  }
}

documentStoreConformance({
  name: 'postgresqlDocumentStore',
  open,
  maxDocumentBytes: largestDocument,
  ...(canMount()
    ? { fullStorage: openOnSmallDisk }
    : {
        deviations: { fullStorage: 'This process may not mount the small file system that the test fills.' },
      }),
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
