import { blobStoreConformance } from '@publishing-service/conformance'
import { randomUUID } from 'node:crypto'
import { after, before } from 'mocha'
import { Client } from 'minio'
import { minioBlobStore } from './minio-blob-store.js'
import { type MinioServer, startMinio } from './test-support/servers.js'

let server: MinioServer
before(async () => {
  server = await startMinio()
})
after(() => server.dispose())

blobStoreConformance({
  name: 'MinIO',
  deviations: { locking: 'MinIO locks an object while it is read; Amazon S3 does not.' },
  open: async () => {
    const { accessKey, secretKey } = server
    const options = { url: server.url(), accessKey, secretKey, bucket: `conformance-${randomUUID()}` }
    const store = await minioBlobStore(options)
    return {
      store,
      reopen: () => minioBlobStore(options),
      dispose: async () => {
        await store.close()
        const { hostname, port } = new URL(options.url)
        const client = new Client({
          endPoint: hostname,
          port: Number(port),
          useSSL: false,
          accessKey,
          secretKey,
        })
        for await (const item of client.listObjectsV2(options.bucket, '', true)) {
          const { name } = item as { readonly name?: string }
          if (name !== undefined) await client.removeObject(options.bucket, name)
        }
        await client.removeBucket(options.bucket)
      },
    }
  },
})
