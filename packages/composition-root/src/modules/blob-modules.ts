import { blobsFolder } from '../data-directory.js'
import { naming } from '../naming.js'
import { providing } from '../token.js'
import { tokens } from '../tokens.js'

const filesystemModule = () =>
  providing(
    tokens.blobs,
    [tokens.configuration],
    async (configuration) => {
      const { filesystemBlobStore } = await import('@publishing-service/adapter-filesystem')
      return naming({ directory: 'DATA_DIR' }, filesystemBlobStore({ directory: blobsFolder(configuration) }))
    },
    (store) => store.close(),
  )

const minioModule = () =>
  providing(
    tokens.blobs,
    [tokens.configuration],
    async ({ MINIO_URL, MINIO_ACCESS_KEY, MINIO_SECRET_KEY, MINIO_BUCKET }) => {
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
    (store) => store.close(),
  )

const memoryModule = () =>
  providing(
    tokens.blobs,
    [],
    async () => {
      const { memoryBlobStore } = await import('@publishing-service/adapter-memory')
      return memoryBlobStore()
    },
    (store) => store.close(),
  )

/** The module for each value of BLOBS. An adapter is loaded when it is asked for. */
export const blobModules = { filesystem: filesystemModule, minio: minioModule, memory: memoryModule } as const
