import type { BlobStore } from '@publishing-service/ports'
import { blobsFolder, reservedSpace } from '../data-directory.js'
import type { blobStoreNames } from '../configuration-table.js'
import { naming } from '../naming.js'
import type { BuiltInStore } from './store-kind.js'

/** The blob stores that are built in, by their name in BLOBS. An adapter is loaded when its store is opened. */
export const blobStores: Readonly<Record<(typeof blobStoreNames)[number], BuiltInStore<BlobStore>>> = {
  filesystem: {
    location: ['DATA_DIR'],
    needed: [],
    medium: 'folder',
    place: blobsFolder,
    open: async (configuration) => {
      const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
      return naming(
        { directory: 'DATA_DIR' },
        // Twice, so that what was given up can be held back again.
        filesystemBlobStore({ directory: blobsFolder(configuration), keepFree: 2 * reservedSpace }),
      )
    },
  },
  minio: {
    location: ['MINIO_URL', 'MINIO_BUCKET'],
    needed: ['MINIO_URL', 'MINIO_ACCESS_KEY', 'MINIO_SECRET_KEY'],
    medium: 'other',
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
    location: [],
    needed: [],
    medium: 'memory',
    place: () => 'memory',
    open: async () => {
      const { memoryBlobStore } = await import('@publishing-service/adapter-memory')
      return memoryBlobStore()
    },
  },
}
