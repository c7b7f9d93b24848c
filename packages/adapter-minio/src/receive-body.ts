/**
 * Takes a body of unknown length into a bucket: in one request where it is small, else in parts, of which one is
 * held at a time. Nothing can be seen of it before the last request; what is given up is removed from the server.
 */
import { createHash } from 'node:crypto'
import { E, type Either } from '@publishing-service/domain'
import type { BlobReceipt, BlobTooLarge, BodyInterrupted } from '@publishing-service/ports'
import type { Bucket } from './bucket.js'
import type { IncompleteUploads } from './incomplete-uploads.js'
import { partBuffer } from './part-buffer.js'

/** S3 takes no smaller part but the last. */
const smallestPart = 5 * 1024 * 1024
/** S3 takes no more parts of one object. */
const mostParts = 10_000

const partSizeFor = (limit: number): number => Math.max(smallestPart, Math.ceil(limit / mostParts))

const brokenOff = Symbol('the body broke off')

async function* untilBrokenOff(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | typeof brokenOff> {
  try {
    yield* body
  } catch {
    yield brokenOff
  }
}

type Part = { readonly part: number; readonly etag: string }

export const receiveBody = async (
  bucket: Bucket,
  incomplete: IncompleteUploads,
  object: string,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Either<BlobTooLarge | BodyInterrupted, BlobReceipt>> => {
  const { client, name: bucketName, ask } = bucket
  const hash = createHash('sha256')
  const buffer = partBuffer(partSizeFor(limit))
  const parts: Part[] = []
  let uploadId: string | null = null
  let bytes = 0

  const sendPart = async (): Promise<void> => {
    uploadId ??= await ask(() => client.initiateNewMultipartUpload(bucketName, object, {}))
    const payload = buffer.take()
    const partNumber = parts.length + 1
    const headers = { 'Content-Length': payload.length }
    const upload = { bucketName, objectName: object, uploadID: uploadId, partNumber, headers }
    const { etag } = await ask(() => client.uploadPart(upload, payload))
    parts.push({ part: partNumber, etag })
  }

  const giveUp = async (): Promise<void> => {
    if (uploadId !== null) await incomplete.remove(object, uploadId)
  }

  const send = async (chunk: Uint8Array): Promise<void> => {
    hash.update(chunk)
    for (let at = 0; at < chunk.length;) {
      at += buffer.add(chunk.subarray(at))
      if (buffer.isFull()) await sendPart()
    }
  }

  try {
    for await (const chunk of untilBrokenOff(body)) {
      if (chunk === brokenOff) {
        await giveUp()
        return E.left({ _tag: 'BodyInterrupted' })
      }
      bytes += chunk.length
      if (bytes > limit) {
        await giveUp()
        return E.left({ _tag: 'BlobTooLarge', limit })
      }
      await send(chunk)
    }
    if (uploadId === null) {
      const payload = buffer.take()
      await ask(() => client.putObject(bucketName, object, payload))
    } else {
      if (!buffer.isEmpty()) await sendPart()
      await client.completeMultipartUpload(bucketName, object, uploadId, parts)
    }
  } catch (error) {
    await giveUp()
    throw error
  }
  return E.right({ bytes, sha256: hash.digest('hex') })
}
