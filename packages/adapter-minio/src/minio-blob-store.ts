/**
 * Blobs as objects of one bucket on MinIO or another S3-compatible server, for services of any number of processes.
 * Bodies stream both ways: no temporary file, and one part of an upload in memory.
 */
import { E } from '@publishing-service/domain'
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
 * Opens the bucket, and makes it where it is missing. Rejects with an Error that says where and why, without the
 * secret, when the server can't be reached, refuses the keys, or the bucket is somebody else's.
 */
export const minioBlobStore = async (options: MinioBlobStoreOptions): Promise<BlobStore> => {
  const bucket = await openBucket(options)
  const { client, name, ask } = bucket
  const incomplete = incompleteUploads(bucket)
  const { use, isClosed, close } = countedUses(closed, minioFailure)

  // Nobody waits for it, and what fails is tried again at the next start.
  void Promise.allSettled([incomplete.abortOld(Date.now())])

  const orAbsent = async <A>(request: () => Promise<A>): Promise<A | null> => {
    try {
      return await ask(request)
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  /** What the server says of an object that it doesn't remove; null where it removes them all. */
  const removeAll = async (objects: readonly string[]): Promise<PortFailure | null> => {
    if (objects.length === 0) return null
    const answers = await ask(() => client.removeObjects(name, [...objects]))
    const refused = answers.find((answer) => answer?.Error)?.Error
    return refused === undefined ? null : portFailure(part, JSON.stringify(refused))
  }

  return {
    write: (key, body, limit) =>
      use(async () => {
        checkBlobKey(key)
        return receiveBody(bucket, incomplete, objectOf(key), body, limit)
      }),
    read: (key, range) =>
      use(async () => {
        checkBlobKey(key)
        const read = await orAbsent(() => openObject(bucket, objectOf(key), range))
        return read === null ? E.left({ _tag: 'BlobNotFound' } as const) : E.right(read)
      }),
    size: (key) =>
      use(async () => {
        checkBlobKey(key)
        return E.right((await orAbsent(() => client.statObject(name, objectOf(key))))?.size ?? null)
      }),
    remove: (path) =>
      use(async () => {
        checkBlobPath(path)
        const object = objectAt(path)
        if (object !== null) await ask(() => client.removeObject(name, object))
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
