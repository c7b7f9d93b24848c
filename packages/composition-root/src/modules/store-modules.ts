import { collections } from '@publishing-service/application'
import { documentsFile } from '../data-directory.js'
import { naming } from '../naming.js'
import { providing } from '../token.js'
import { tokens } from '../tokens.js'

const sqliteStoreModule = () =>
  providing(
    tokens.documents,
    [tokens.configuration],
    async (configuration) => {
      const { sqliteDocumentStore } = await import('@publishing-service/adapter-sqlite')
      return naming(
        { file: 'DATA_DIR' },
        sqliteDocumentStore({ file: documentsFile(configuration), collections }),
      )
    },
    (store) => store.close(),
  )

const mongodbStoreModule = () =>
  providing(
    tokens.documents,
    [tokens.configuration],
    async ({ MONGODB_URL }) => {
      const { mongodbDocumentStore } = await import('@publishing-service/adapter-mongodb')
      return naming({ url: 'MONGODB_URL' }, mongodbDocumentStore({ url: MONGODB_URL ?? '', collections }))
    },
    (store) => store.close(),
  )

const memoryStoreModule = () =>
  providing(
    tokens.documents,
    [],
    async () => {
      const { memoryDocumentStore } = await import('@publishing-service/adapter-memory')
      return memoryDocumentStore(collections)
    },
    (store) => store.close(),
  )

/** The module for each value of STORE. An adapter is loaded when it is asked for. */
export const storeModules = {
  sqlite: sqliteStoreModule,
  mongodb: mongodbStoreModule,
  memory: memoryStoreModule,
} as const
