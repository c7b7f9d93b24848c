import { after, before } from 'mocha'
import { documentStoreOutages } from '@publishing-service/conformance'
import { mongodbDocumentStore } from './mongodb-document-store.js'
import { newDatabase, quickUrl } from './test-support/database.js'
import { isFerretdb, type MongodbServer, startMongodb, unreliableConnection } from './test-support/servers.js'

const deadline = 1500

let server: MongodbServer
before(async () => {
  server = await startMongodb()
})
after(() => server.dispose())

documentStoreOutages({
  name: 'mongodbDocumentStore',
  deadline,
  open: async (collections) => {
    const connection = await unreliableConnection(server.address)
    const url = quickUrl(server.url(newDatabase(), connection.address))
    const store = await mongodbDocumentStore({ url, collections, deadline })
    const restartServer = async (): Promise<void> => {
      await server.kill()
      await server.start()
    }
    return {
      store,
      connection,
      dispose: async () => {
        await store.close()
        await connection.close()
      },
      // A server that the caller of the tests has named is not theirs to kill.
      ...(isFerretdb ? { restartServer } : {}),
    }
  },
})
