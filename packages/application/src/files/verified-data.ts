/** Verifies stored data while it is read. */
import type { Checksum } from '@publishing-service/ports'
import type { Failure } from '../failure.js'

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
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) throw await damaged(found)
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
