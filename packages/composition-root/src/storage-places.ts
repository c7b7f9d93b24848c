/** Where a configuration keeps documents and file data, as people read it: without user and password. */
import type { Configuration } from './configuration-table.js'
import type { Modules } from './container.js'
import { blobsFolder, documentsFile } from './data-directory.js'

export type StoragePlaces = { readonly documents: string; readonly blobs: string }

const documentPlaces = {
  sqlite: documentsFile,
  mongodb: async ({ MONGODB_URL }: Configuration) => {
    const { withoutCredentials } = await import('@publishing-service/adapter-mongodb')
    return withoutCredentials(MONGODB_URL ?? '')
  },
  memory: () => 'memory',
} as const

const blobPlaces = {
  filesystem: blobsFolder,
  minio: ({ MINIO_URL, MINIO_BUCKET }: Configuration) =>
    `${(MINIO_URL ?? '').replace(/\/$/, '')}/${MINIO_BUCKET}`,
  memory: () => 'memory',
} as const

const ownStore = 'the store that this program brings'

/** Equal places are the same stores. `replaced` are the modules that stand in for those of the configuration. */
export const storagePlaces = async (
  configuration: Configuration,
  replaced: Partial<Modules> = {},
): Promise<StoragePlaces> => ({
  documents:
    replaced.documents === undefined ? await documentPlaces[configuration.STORE](configuration) : ownStore,
  blobs: replaced.blobs === undefined ? blobPlaces[configuration.BLOBS](configuration) : ownStore,
})
