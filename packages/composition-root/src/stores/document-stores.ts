import { collections } from '@publishing-service/application'
import type { DocumentStore } from '@publishing-service/ports'
import { documentsFile, reservedSpace } from '../data-directory.js'
import type { documentStoreNames } from '../configuration-table.js'
import { naming } from '../naming.js'
import type { BuiltInStore } from './store-kind.js'

/** The document stores that are built in, by their name in STORE. An adapter is loaded when its store is opened. */
export const documentStores: Readonly<
  Record<(typeof documentStoreNames)[number], BuiltInStore<DocumentStore>>
> = {
  sqlite: {
    location: ['DATA_DIR'],
    needed: [],
    medium: 'folder',
    place: documentsFile,
    open: async (configuration) => {
      const { sqliteDocumentStore } = await import('@publishing-service/adapter-sqlite')
      return naming(
        { file: 'DATA_DIR' },
        sqliteDocumentStore({ file: documentsFile(configuration), collections, reserve: reservedSpace }),
      )
    },
  },
  mongodb: {
    location: ['MONGODB_URL'],
    needed: ['MONGODB_URL'],
    medium: 'other',
    place: async ({ MONGODB_URL }) => {
      const { withoutCredentials } = await import('@publishing-service/adapter-mongodb')
      return withoutCredentials(MONGODB_URL ?? '')
    },
    open: async ({ MONGODB_URL }) => {
      const { mongodbDocumentStore } = await import('@publishing-service/adapter-mongodb')
      return naming({ url: 'MONGODB_URL' }, mongodbDocumentStore({ url: MONGODB_URL ?? '', collections }))
    },
  },
  memory: {
    location: [],
    needed: [],
    medium: 'memory',
    place: () => 'memory',
    open: async () => {
      const { memoryDocumentStore } = await import('@publishing-service/adapter-memory')
      return memoryDocumentStore(collections)
    },
  },
}
