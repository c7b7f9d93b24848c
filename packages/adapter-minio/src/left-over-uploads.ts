/**
 * Uploads that were begun and never ended take room on the server that nobody sees. Those that this process gives
 * up it removes, as soon as the server answers; those of a process that has died go when they are a day old.
 */
import type { Bucket } from './bucket.js'
import { s3Code } from './minio-failure.js'

export type LeftOverUploads = {
  /** Removes a given-up upload, now or when `collect` is called next; never rejects. */
  readonly remove: (object: string, uploadId: string) => Promise<void>
  /** Tries those again that could not be removed. */
  readonly collect: () => Promise<void>
  /** Removes what other processes began more than a day ago. */
  readonly collectOld: (now: number) => Promise<void>
}

const day = 24 * 60 * 60 * 1000
/** The server forgets about more than these by itself: MinIO after a day, others by a rule of the bucket. */
const mostKept = 10_000

export const leftOverUploads = ({ client, name, ask }: Bucket): LeftOverUploads => {
  const kept = new Map<string, string>()

  const abort = async (object: string, uploadId: string): Promise<void> => {
    try {
      await ask(() => client.abortMultipartUpload(name, object, uploadId))
    } catch (error) {
      if (s3Code(error) !== 'NoSuchUpload') throw error
    }
  }

  const remove = async (object: string, uploadId: string): Promise<void> => {
    try {
      await abort(object, uploadId)
      kept.delete(uploadId)
    } catch {
      if (kept.size < mostKept) kept.set(uploadId, object)
    }
  }

  return {
    remove,
    collect: async () => {
      for (const [uploadId, object] of kept) await remove(object, uploadId)
    },
    collectOld: async (now) => {
      for await (const upload of client.listIncompleteUploads(name, '', true)) {
        const { key, uploadId, initiated } = upload as { key: string; uploadId: string; initiated: Date }
        if (now - new Date(initiated).getTime() > day) await remove(key, uploadId)
      }
    },
  }
}
