/**
 * Incomplete uploads use space on the server but are not listed as objects. This process aborts its own as soon as the
 * server responds. Those of a crashed process are aborted when they are a day old.
 */
import type { Bucket } from './bucket.js'
import { s3Code } from './minio-failure.js'

export type IncompleteUploads = {
  /** Aborts an upload, now or when `retry` is called next; never rejects. */
  readonly remove: (object: string, uploadId: string) => Promise<void>
  /** Aborts the uploads that could not be aborted before. */
  readonly retry: () => Promise<void>
  /** Aborts the uploads that other processes started more than a day ago. */
  readonly abortOld: (now: number) => Promise<void>
}

const day = 24 * 60 * 60 * 1000
/** Uploads beyond this number are left to the server: MinIO aborts them after a day, others by a rule of the bucket. */
const maxPending = 10_000

export const incompleteUploads = ({ client, name, send }: Bucket): IncompleteUploads => {
  const pending = new Map<string, string>()

  const abort = async (object: string, uploadId: string): Promise<void> => {
    try {
      await send(() => client.abortMultipartUpload(name, object, uploadId))
    } catch (error) {
      if (s3Code(error) !== 'NoSuchUpload') throw error
    }
  }

  const remove = async (object: string, uploadId: string): Promise<void> => {
    try {
      await abort(object, uploadId)
      pending.delete(uploadId)
    } catch {
      if (pending.size < maxPending) pending.set(uploadId, object)
    }
  }

  return {
    remove,
    retry: async () => {
      for (const [uploadId, object] of pending) await remove(object, uploadId)
    },
    abortOld: async (now) => {
      for await (const upload of client.listIncompleteUploads(name, '', true)) {
        const { key, uploadId, initiated } = upload as { key: string; uploadId: string; initiated: Date }
        if (now - new Date(initiated).getTime() > day) await remove(key, uploadId)
      }
    },
  }
}
