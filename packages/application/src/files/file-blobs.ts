/** The blobs of a file: their keys, the header of scaled images, verified reading, and removal. */
import { stateIn, file } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { BlobKey, BlobStore, Checksum, Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import type { Failure } from '../failure.js'
import type { Ports } from '../ports.js'

/**
 * Keys of file data in the blob store: `<instance>/<file>/<upload name>/original`, with derivatives in the same folder,
 * so that one removal deletes all blobs of an upload.
 */
export const uploadBlobs = (instance: number, fileId: string, name: string): string =>
  `${instance}/${fileId}/${name}`

const original = 'original'

export const originalBlob = (upload: string): string => `${upload}/${original}`

export const derivedBlob = (upload: string, name: string): string => `${upload}/${name}`

export const isDerived = (key: string): boolean => !key.endsWith(`/${original}`)

/** Removes all blobs of an upload. What fails is logged and left to garbage collection. */
export const removeUpload = async (
  { blobs, log }: Pick<Ports, 'blobs' | 'log'>,
  path: string,
): Promise<void> => {
  const removed = await blobs.remove(path)()
  if (E.isLeft(removed)) log.write('warn', 'blobs not removed', { path, reason: removed.left.reason })
}

/** Removes the data of a deleted file, and its scaled images. */
export const removeFileData = async (
  session: Pick<Ports, 'blobs' | 'log'>,
  { value }: Document,
): Promise<void> => {
  const { blob } = stateIn(file, value)
  if (blob !== null) await removeUpload(session, blob)
}

// Texts of ASCII characters as data, and back.

export const bytesOf = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
  return bytes
}

export const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

// Verified reading of data whose size and checksum are known.

/** Size and checksum of written data. */
export type Digest = {
  readonly bytes: number
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
}

/**
 * Yields the chunks, the last one only after the checksum of all is verified. If the bytes differ, throws what `damaged`
 * returns.
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Uint8Array>,
  expected: Digest,
  checksum: Checksum,
  damaged: (found: Digest) => Failure | Promise<Failure>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0
  let last: Uint8Array | null = null
  for await (const chunk of chunks) {
    // More than expected is never sent: the rest is read for the checksum alone.
    if (last !== null && bytes <= expected.bytes) yield last
    bytes += chunk.length
    checksum.add(chunk)
    last = chunk
  }
  const found = { bytes, sha256: checksum.value() }
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) fail(await damaged(found))
  if (last !== null) yield last
}

/** Cancels a read. Some stores release its resources only after the first chunk was requested. */
export const cancelRead = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next().catch(() => undefined)
  await iterator.return?.()
}

/** Reads the first chunk, so that a failure until then is thrown before a response has begun. Returns all chunks. */
export const beginReading = async (
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<AsyncIterable<Uint8Array>> => {
  let first: IteratorResult<Uint8Array, void> | null = await chunks.next()
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = first ?? (await chunks.next())
        first = null
        return result
      },
      return: () => chunks.return(),
    }),
  }
}

// A scaled image as it is stored: a line with its size and checksum, then its bytes. The line makes it possible to
// detect a blob that was cut short or changed; no document records scaled images.

const pattern = /^derivative-1 ([0-9a-f]{64}) (\d{15})\n$/

const headerOf = ({ bytes, sha256 }: Digest): string =>
  `derivative-1 ${sha256} ${String(bytes).padStart(15, '0')}\n`

/** The size of the line before the image. */
export const derivativeHeaderBytes = headerOf({ bytes: 0, sha256: '0'.repeat(64) }).length

const digestFrom = (header: string): Digest | null => {
  const [, sha256, bytes] = pattern.exec(header) ?? []
  return sha256 === undefined ? null : { sha256, bytes: Number(bytes) }
}

/** The blob of an image, in chunks. */
export async function* derivativeBlob(image: Uint8Array, checksum: Checksum): AsyncGenerator<Uint8Array> {
  checksum.add(image)
  yield bytesOf(headerOf({ bytes: image.length, sha256: checksum.value() }))
  yield image
}

export type StoredDerivative = {
  /** From its line; null without one: an earlier version of the service wrote it, or it is damaged. */
  readonly digest: Digest | null
  /** Whether the blob has the size that follows from the line. */
  readonly isWhole: boolean
}

/** Reads the line of a stored image; null where there is no such blob. Throws a PortFailure. */
export const readDerivative = async (
  blobs: Pick<BlobStore, 'read'>,
  key: BlobKey,
): Promise<StoredDerivative | null> => {
  const opened = await blobs.read(key, { start: 0, end: derivativeHeaderBytes - 1 })()
  if (E.isLeft(opened)) {
    if (opened.left._tag === 'BlobNotFound') return null
    fail(opened.left)
  }
  let header = ''
  for await (const chunk of opened.right.chunks) header += textOf(chunk)
  const digest = digestFrom(header)
  return { digest, isWhole: digest?.bytes === opened.right.bytes - derivativeHeaderBytes }
}
