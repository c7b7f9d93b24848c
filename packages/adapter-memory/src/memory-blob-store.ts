/**
 * A blob store in the memory of this process, for tests and trials. It fulfils the port except for durability and
 * bounded memory.
 */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  checkBlobKey,
  checkBlobPath,
  portFailure,
  type BlobEntry,
  type BlobKey,
  type BlobReceipt,
  type BlobStore,
  type BlobTooLarge,
  type BodyInterrupted,
  type ByteRange,
  type PortFailure,
} from '@publishing-service/ports'
import { createHash } from 'node:crypto'

type Blob = { readonly bytes: Uint8Array; readonly written: number }

const part = 'blob store'
const chunkBytes = 64 * 1024

const receive = async (
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Either<BlobTooLarge | BodyInterrupted, Uint8Array>> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > limit) return E.left({ _tag: 'BlobTooLarge', limit })
      // A copy, since the source may reuse its buffer.
      chunks.push(chunk.slice())
    }
  } catch {
    return E.left({ _tag: 'BodyInterrupted' })
  }
  return E.right(Buffer.concat(chunks))
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes)
}

/** Creates an empty store. */
export const memoryBlobStore = (): BlobStore => {
  const blobs = new Map<BlobKey, Blob>()
  let closed = false

  const use =
    <Failure, Value>(run: () => Promise<Either<Failure, Value>>): TaskEither<Failure | PortFailure, Value> =>
    async () =>
      closed ? E.left(portFailure(part, 'closed')) : run()

  const keysBelow = (path: string): readonly BlobKey[] =>
    [...blobs.keys()].filter((key) => path === '' || key.startsWith(`${path}/`))

  return {
    write: (key, body, limit) =>
      use(async () => {
        checkBlobKey(key)
        const received = await receive(body, limit)
        if (E.isLeft(received)) return received
        const bytes = received.right
        blobs.set(key, { bytes, written: Date.now() })
        const receipt: BlobReceipt = {
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        }
        return E.right(receipt)
      }),
    read: (key: BlobKey, range?: ByteRange) =>
      use(async () => {
        checkBlobKey(key)
        const blob = blobs.get(key)
        if (blob === undefined) return E.left({ _tag: 'BlobNotFound' } as const)
        const bytes = range === undefined ? blob.bytes : blob.bytes.subarray(range.start, range.end + 1)
        return E.right({ bytes: blob.bytes.length, chunks: inChunks(bytes) })
      }),
    size: (key) =>
      use(async () => {
        checkBlobKey(key)
        return E.right(blobs.get(key)?.bytes.length ?? null)
      }),
    remove: (path) =>
      use(async () => {
        checkBlobPath(path)
        for (const key of [path, ...keysBelow(path)]) blobs.delete(key)
        return E.right(undefined)
      }),
    async *list(path: string): AsyncGenerator<BlobEntry, void, undefined> {
      if (path !== '') checkBlobPath(path)
      if (closed) throw portFailure(part, 'closed')
      for (const key of keysBelow(path)) {
        const blob = blobs.get(key)
        if (blob !== undefined) yield { key, bytes: blob.bytes.length, written: blob.written }
      }
    },
    check: () => use(async () => E.right(undefined)),
    close: async () => {
      closed = true
    },
  }
}
