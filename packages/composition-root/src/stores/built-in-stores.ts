import { collections, mayUseReserve, type WriteCounters } from '@publishing-service/application'
import type { BlobStore, DocumentStore, Log } from '@publishing-service/ports'
import type { blobStoreNames, documentStoreNames } from '../configuration-table.js'
import type { BuiltInStore } from '../configuration.js'
import { documentsFile, reservedSpace, blobsFolder, storageReserve } from '../data-directory.js'
import { naming } from '../error-messages.js'
import { migrationLog } from './migration-log.js'

const inFolder = {
  location: ['DATA_DIR'],
  needed: [],
  medium: 'folder',
  describe: null,
  examine: null,
} as const
const inMemory = {
  location: [],
  needed: [],
  medium: 'memory',
  describe: null,
  examine: null,
  place: () => 'memory, until the service ends',
} as const

/** Writes the progress of migrations to the log, and each statement at the level debug. */
const observers = (log: Log) => ({
  onMigration: migrationLog(log),
  ...(log.enabled('debug') ? { onStatement: (sql: string) => log.write('debug', 'statement', { sql }) } : {}),
})

/** Counts what other processes write, so that caches of this one are outdated. */
const counting = (writeCounters: WriteCounters) => ({
  onChange: (collection: string, instance: number) => writeCounters.count(instance, collection),
  onMissed: () => writeCounters.countAll(),
})

/** The document stores that are built in, by their name in STORE. An adapter is loaded when its store is opened. */
export const documentStores: Readonly<
  Record<(typeof documentStoreNames)[number], BuiltInStore<DocumentStore>>
> = {
  sqlite: {
    ...inFolder,
    place: documentsFile,
    describe: async (configuration) => {
      const { describeSqliteFile } = await import('@publishing-service/adapter-sqlite')
      const file = documentsFile(configuration)
      return naming({ file: 'DATA_DIR' }, describeSqliteFile(file, collections))
    },
    examine: async (configuration, read) => {
      const { examineSqliteFile } = await import('@publishing-service/adapter-sqlite')
      const file = documentsFile(configuration)
      return naming({ file: 'DATA_DIR' }, examineSqliteFile({ file, collections }, read))
    },
    open: async (configuration, log, writeCounters) => {
      const { sqliteDocumentStore } = await import('@publishing-service/adapter-sqlite')
      const store = await naming(
        { file: 'DATA_DIR' },
        sqliteDocumentStore({
          file: documentsFile(configuration),
          collections,
          reserve: reservedSpace,
          mayUseReserve,
          onCopy: (path) => log.write('info', 'documents copied before their migration', { path }),
          foreignChanges: counting(writeCounters),
          ...observers(log),
        }),
      )
      writeCounters.countForeignBy(store.reportForeignChanges)
      return store
    },
  },
  postgresql: {
    location: ['POSTGRESQL_URL'],
    needed: ['POSTGRESQL_URL'],
    medium: 'other',
    place: async ({ POSTGRESQL_URL }) => {
      const { withoutCredentials } = await import('@publishing-service/adapter-postgresql')
      return withoutCredentials(POSTGRESQL_URL ?? '')
    },
    describe: async ({ POSTGRESQL_URL }) => {
      const { describePostgresqlDatabase } = await import('@publishing-service/adapter-postgresql')
      return naming({ url: 'POSTGRESQL_URL' }, describePostgresqlDatabase(POSTGRESQL_URL ?? '', collections))
    },
    examine: async ({ POSTGRESQL_URL }, read) => {
      const { examinePostgresqlDatabase } = await import('@publishing-service/adapter-postgresql')
      const url = POSTGRESQL_URL ?? ''
      return naming({ url: 'POSTGRESQL_URL' }, examinePostgresqlDatabase({ url, collections }, read))
    },
    open: async ({ POSTGRESQL_URL, POSTGRESQL_NOTIFY }, log, writeCounters) => {
      const { postgresqlDocumentStore } = await import('@publishing-service/adapter-postgresql')
      return naming(
        { url: 'POSTGRESQL_URL' },
        postgresqlDocumentStore({
          url: POSTGRESQL_URL ?? '',
          collections,
          ...observers(log),
          ...(POSTGRESQL_NOTIFY ? { foreignChanges: counting(writeCounters) } : {}),
        }),
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
    describe: async ({ MONGODB_URL }) => {
      const { describeMongodbDatabase } = await import('@publishing-service/adapter-mongodb')
      return naming({ url: 'MONGODB_URL' }, describeMongodbDatabase(MONGODB_URL ?? '', collections))
    },
    examine: async ({ MONGODB_URL }, read) => {
      const { examineMongodbDatabase } = await import('@publishing-service/adapter-mongodb')
      const url = MONGODB_URL ?? ''
      return naming({ url: 'MONGODB_URL' }, examineMongodbDatabase({ url, collections }, read))
    },
    open: async ({ MONGODB_URL }) => {
      const { mongodbDocumentStore } = await import('@publishing-service/adapter-mongodb')
      return naming({ url: 'MONGODB_URL' }, mongodbDocumentStore({ url: MONGODB_URL ?? '', collections }))
    },
  },
  memory: {
    ...inMemory,
    open: async () => {
      const { memoryDocumentStore } = await import('@publishing-service/adapter-memory')
      return memoryDocumentStore(collections)
    },
  },
}

/** The blobs of an export: files below `blobs` in its folder. */
export const openExportBlobs = async (directory: string): Promise<BlobStore> => {
  const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
  return filesystemBlobStore({ directory })
}

/** The blob stores that are built in, by their name in BLOBS. An adapter is loaded when its store is opened. */
export const blobStores: Readonly<Record<(typeof blobStoreNames)[number], BuiltInStore<BlobStore>>> = {
  filesystem: {
    ...inFolder,
    place: blobsFolder,
    open: async (configuration) => {
      const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
      return naming(
        { directory: 'DATA_DIR' },
        filesystemBlobStore({
          directory: blobsFolder(configuration),
          reservedBytes: storageReserve({ blobStore: { medium: 'folder' } }),
        }),
      )
    },
  },
  minio: {
    location: ['MINIO_URL', 'MINIO_BUCKET'],
    needed: ['MINIO_URL', 'MINIO_ACCESS_KEY', 'MINIO_SECRET_KEY'],
    medium: 'other',
    describe: null,
    examine: null,
    place: ({ MINIO_URL, MINIO_BUCKET }) => `${(MINIO_URL ?? '').replace(/\/$/, '')}/${MINIO_BUCKET}`,
    open: async ({ MINIO_URL, MINIO_ACCESS_KEY, MINIO_SECRET_KEY, MINIO_BUCKET }) => {
      const { minioBlobStore } = await import('@publishing-service/adapter-minio')
      return naming(
        {
          url: 'MINIO_URL',
          accessKey: 'MINIO_ACCESS_KEY',
          secretKey: 'MINIO_SECRET_KEY',
          bucket: 'MINIO_BUCKET',
        },
        minioBlobStore({
          url: MINIO_URL ?? '',
          accessKey: MINIO_ACCESS_KEY ?? '',
          secretKey: MINIO_SECRET_KEY ?? '',
          bucket: MINIO_BUCKET,
        }),
      )
    },
  },
  memory: {
    ...inMemory,
    open: async () => {
      const { memoryBlobStore } = await import('@publishing-service/adapter-memory')
      return memoryBlobStore()
    },
  },
}
