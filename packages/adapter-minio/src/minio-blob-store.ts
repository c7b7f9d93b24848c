/**
 * Stores blobs as objects of one bucket on MinIO or another S3-compatible server. Several processes can use a bucket.
 * Bodies are streamed in both directions, without temporary files and with one part of an upload in memory.
 */
import { E } from '@publishing-service/domain/fp'
import {
  type BlobStore,
  checkBlobKey,
  checkBlobPath,
  countedUses,
  portFailure,
  type PortFailure,
} from '@publishing-service/ports'
import type { BucketOptions } from './bucket.js'
import { incompleteUploads } from './incomplete-uploads.js'
import { blobPages } from './list-blobs.js'
import { isAbsent, minioFailure, part } from './minio-failure.js'
import { objectAt, objectOf } from './object-name.js'
import { openBucket, probeBucket } from './open-bucket.js'
import { openObject } from './read-body.js'
import { receiveBody } from './receive-body.js'

export type MinioBlobStoreOptions = BucketOptions

const closed = portFailure(part, 'it is closed')

/**
 * Opens the bucket, and creates it if it is missing. Rejects if the server cannot be reached, the keys are wrong, or
 * the bucket belongs to another account. The Error states the server, the bucket and the cause, without the secret.
 */
export const minioBlobStore = async (options: MinioBlobStoreOptions): Promise<BlobStore> => {
  const bucket = await openBucket(options)
  const { client, name, send } = bucket
  const incomplete = incompleteUploads(bucket)
  const { use, isClosed, close } = countedUses(closed, minioFailure)

  // In the background. What fails is tried again at the next start.
  void Promise.allSettled([incomplete.abortOld(Date.now())])

  const nullIfAbsent = async <A>(request: () => Promise<A>): Promise<A | null> => {
    try {
      return await send(request)
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  /** Returns the failure of the first object that the server does not remove, or null. */
  const removeAll = async (objects: readonly string[]): Promise<PortFailure | null> => {
    if (objects.length === 0) return null
    const results = await send(() => client.removeObjects(name, [...objects]))
    const failed = results.find((result) => result?.Error)?.Error
    return failed === undefined ? null : portFailure(part, JSON.stringify(failed))
  }

  return {
    write: (key, body, limit) =>
      use(async () => {
        checkBlobKey(key)
        return receiveBody({ bucket, incomplete, object: objectOf(key), body, limit })
      }),
    read: (key, range) =>
      use(async () => {
        checkBlobKey(key)
        const read = await nullIfAbsent(() => openObject(bucket, objectOf(key), range))
        return read === null ? E.left({ _tag: 'BlobNotFound' } as const) : E.right(read)
      }),
    size: (key) =>
      use(async () => {
        checkBlobKey(key)
        return E.right((await nullIfAbsent(() => client.statObject(name, objectOf(key))))?.size ?? null)
      }),
    remove: (path) =>
      use(async () => {
        checkBlobPath(path)
        const object = objectAt(path)
        if (object !== null) await send(() => client.removeObject(name, object))
        for await (const page of blobPages(bucket, `${path}/`)) {
          const failure = await removeAll(page.map(({ key }) => objectOf(key)))
          if (failure !== null) return E.left(failure)
        }
        return E.right(undefined)
      }),
    async *list(path) {
      if (path !== '') checkBlobPath(path)
      if (isClosed()) throw closed
      try {
        for await (const page of blobPages(bucket, path === '' ? '' : `${path}/`)) yield* page
      } catch (error) {
        throw minioFailure(error)
      }
    },
    check: () =>
      use(async () => {
        await probeBucket(bucket)
        await incomplete.retry()
        return E.right(undefined)
      }),
    close: async () => {
      await close()
      bucket.close()
    },
  }
}
