/**
 * Uploads a body of unknown length to a bucket: in one request if it is small, otherwise in parts, with one part in
 * memory. The object does not exist before the last request. An upload that fails is removed from the server.
 */
import { createHash } from 'node:crypto'
import { E, type Either } from '@publishing-service/domain/fp'
import type { BlobReceipt, BlobTooLarge, BodyInterrupted } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import type { IncompleteUploads } from './incomplete-uploads.js'
import { partBuffer } from './part-buffer.js'

/** The smallest part that S3 accepts, except for the last. */
const minPartBytes = 5 * 1024 * 1024
/** The most parts of an object in S3. */
const maxParts = 10_000

const partBytesFor = (limit: number): number => Math.max(minPartBytes, Math.ceil(limit / maxParts))

const interrupted = Symbol('the body was interrupted')

async function* untilInterrupted(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | typeof interrupted> {
  try {
    yield* body
  } catch {
    yield interrupted
  }
}

type Part = { readonly part: number; readonly etag: string }

type ObjectUpload = {
  /** Adds data; a full part is sent. */
  readonly append: (chunk: Uint8Array) => Promise<void>
  /** Sends the rest. The object exists afterwards. */
  readonly complete: () => Promise<void>
  readonly abort: () => Promise<void>
}

const objectUpload = (
  { client, name: bucketName, send }: Bucket,
  incomplete: IncompleteUploads,
  objectName: string,
  partBytes: number,
): ObjectUpload => {
  const buffer = partBuffer(partBytes)
  const parts: Part[] = []
  let uploadId: string | null = null

  const sendPart = async (): Promise<void> => {
    const uploadID = (uploadId ??= await send(() =>
      client.initiateNewMultipartUpload(bucketName, objectName, {}),
    ))
    const payload = buffer.take()
    const partNumber = parts.length + 1
    const headers = { 'Content-Length': payload.length }
    const upload = { bucketName, objectName, uploadID, partNumber, headers }
    const { etag } = await send(() => client.uploadPart(upload, payload))
    parts.push({ part: partNumber, etag })
  }

  return {
    append: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        at += buffer.add(chunk.subarray(at))
        if (buffer.isFull()) await sendPart()
      }
    },
    complete: async () => {
      if (uploadId === null) {
        const payload = buffer.take()
        await send(() => client.putObject(bucketName, objectName, payload))
        return
      }
      if (!buffer.isEmpty()) await sendPart()
      await client.completeMultipartUpload(bucketName, objectName, uploadId, parts)
    },
    abort: async () => {
      if (uploadId !== null) await incomplete.remove(objectName, uploadId)
    },
  }
}

type Receiving = {
  readonly bucket: Bucket
  readonly incomplete: IncompleteUploads
  readonly object: string
  readonly body: AsyncIterable<Uint8Array>
  /** The most bytes of the body. */
  readonly limit: number
}

export const receiveBody = async ({
  bucket,
  incomplete,
  object,
  body,
  limit,
}: Receiving): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const hash = createHash('sha256')
  const upload = objectUpload(bucket, incomplete, object, partBytesFor(limit))
  let bytes = 0
  try {
    for await (const chunk of untilInterrupted(body)) {
      if (chunk === interrupted) {
        await upload.abort()
        return E.left({ _tag: 'BodyInterrupted' })
      }
      bytes += chunk.length
      if (bytes > limit) {
        await upload.abort()
        return E.left({ _tag: 'BlobTooLarge', limit })
      }
      hash.update(chunk)
      await upload.append(chunk)
    }
    await upload.complete()
  } catch (error) {
    await upload.abort()
    throw error
  }
  return E.right({ bytes, sha256: hash.digest('hex') })
}
