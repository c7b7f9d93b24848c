/** Verifies stored data while it is read. */
import { E, type Either } from '@publishing-service/domain/fp'
import { isPortFailure, type Checksum, type PortFailure } from '@publishing-service/ports'
import { isDownloadFailure, type Failure, type Outcome } from '../failure.js'

/** Size and checksum of written data. */
export type Digest = {
  readonly bytes: number
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
}

/** The store returned other bytes than were written. */
export type DataDamaged = { readonly _tag: 'DataDamaged'; readonly found: Digest }

export type ReadFailure = PortFailure | DataDamaged

/** Whether an iteration threw DataDamaged. */
export const isDataDamaged = (error: unknown): error is DataDamaged =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === 'DataDamaged'

const isReadFailure = (error: unknown): error is ReadFailure => isPortFailure(error) || isDataDamaged(error)

/**
 * Yields the chunks, the last one only after the checksum of all is verified. Throws DataDamaged if the bytes differ.
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Uint8Array>,
  expected: Digest,
  checksum: Checksum,
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
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
    const damaged: DataDamaged = { _tag: 'DataDamaged', found }
    throw damaged
  }
  if (last !== null) yield last
}

/** Cancels a read. Some stores release its resources only after the first chunk was requested. */
export const cancelRead = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next().catch(() => undefined)
  await iterator.return?.()
}

/**
 * Reads the first chunk, so that a failure until then is returned before a response has begun. A later failure is
 * passed to `failureOf`, whose result is thrown.
 */
export const beginReading = async (
  chunks: AsyncIterable<Uint8Array>,
  failureOf: (failure: ReadFailure) => Failure,
): Promise<Either<ReadFailure, AsyncIterable<Uint8Array>>> => {
  const iterator = chunks[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array> | null = null
  try {
    first = await iterator.next()
  } catch (error) {
    if (isReadFailure(error)) return E.left(error)
    throw error
  }
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (first !== null) {
      const result = first
      first = null
      return result
    }
    try {
      return await iterator.next()
    } catch (error) {
      throw isReadFailure(error) ? failureOf(error) : error
    }
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await iterator.return?.()
    return { done: true, value: undefined }
  }
  return E.right({ [Symbol.asyncIterator]: () => ({ next, return: end }) })
}

/** Reads all data, and fails if it is damaged. */
export const readThrough = async (
  read: Outcome<AsyncIterable<Uint8Array>>,
): Promise<Either<Failure, void>> => {
  const opened = await read()
  if (E.isLeft(opened)) return opened
  try {
    for await (const _chunk of opened.right) continue
  } catch (error) {
    if (isDownloadFailure(error)) return E.left(error)
    throw error
  }
  return E.right(undefined)
}
