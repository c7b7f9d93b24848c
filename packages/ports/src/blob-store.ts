import { E, type TaskEither } from '@publishing-service/domain/fp'
import { isPortFailure, portFailure, type PortFailure } from './port-failure.js'

/** Two to six segments of `A-Za-z0-9_.-` joined by `/`, no segment `.` or `..`; at most 200 characters. */
export type BlobKey = string

export type BlobReceipt = {
  readonly bytes: number
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits. */
  readonly sha256: string
}

export type BlobEntry = {
  readonly key: BlobKey
  readonly bytes: number
  /** Milliseconds since 1970 */ readonly written: number
}

/** Inclusive at both ends, in bytes from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A blob that is being read. */
export type BlobRead = {
  /** The size of the whole blob, also if a range is read. */
  readonly bytes: number
  /** Throws a PortFailure if the store fails during the read. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The body exceeds the limit; nothing is stored. */
export type BlobTooLarge = { readonly _tag: 'BlobTooLarge'; readonly limit: number }
/** The body ended early; nothing is stored. */
export type BodyInterrupted = { readonly _tag: 'BodyInterrupted' }
export type BlobNotFound = { readonly _tag: 'BlobNotFound' }

/**
 * Stores bytes under keys, for any number of processes on the same data, also while one of them opens it. The conformance suite
 * tests each sentence.
 *
 * - A blob that was written is read back unchanged, completely or by range.
 * - A read returns the size of the whole blob; a range that exceeds its end returns the bytes that exist.
 * - A write that has returned is durable, and every later read and listing sees it, in any process on the same data.
 * - A blob exists completely or not at all: one that is still being written is not read, found or listed.
 * - A write over the limit, or whose body is interrupted, stores nothing, and the earlier blob of the key remains.
 * - A write to an existing key replaces the blob atomically; current reads continue with the old bytes.
 * - Bodies are streamed: a write or read of any size has at most a few chunks in memory.
 * - Removing a path removes the blobs below it and no others; removing what does not exist succeeds.
 * - Listing returns every blob below a path once, in any order, without having them all in memory.
 * - A read that is abandoned frees its resources.
 */
export type BlobStore = {
  readonly write: (
    key: BlobKey,
    body: AsyncIterable<Uint8Array>,
    limit: number,
  ) => TaskEither<PortFailure | BlobTooLarge | BodyInterrupted, BlobReceipt>
  readonly read: (key: BlobKey, range?: ByteRange) => TaskEither<PortFailure | BlobNotFound, BlobRead>
  /** The size of the blob in bytes, or null if there is none. */
  readonly size: (key: BlobKey) => TaskEither<PortFailure, number | null>
  /** Removes the blob at this path and all blobs below `path/`. */
  readonly remove: (path: string) => TaskEither<PortFailure, void>
  /** The blobs below `path/`; all of them for the empty path. Throws a PortFailure when the store fails. */
  readonly list: (path: string) => AsyncIterable<BlobEntry>
  readonly check: () => TaskEither<PortFailure, void>
  readonly close: () => Promise<void>
}

/** The syntax of a `BlobKey`, and of the paths for removing and listing blobs. */
const length = '(?=.{1,200}$)'
const segment = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+'
const keyPattern = new RegExp(`^${length}${segment}(?:/${segment}){1,5}$`)
const pathPattern = new RegExp(`^${length}${segment}(?:/${segment}){0,5}$`)

export const isBlobKey = (text: string): boolean => keyPattern.test(text)

/** Throws if the text is not a `BlobKey`: a defect of the caller. */
export const checkBlobKey = (key: string): void => {
  if (!keyPattern.test(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key)}`)
}

/** Throws if the text is not a path of one to six segments: a defect of the caller. */
export const checkBlobPath = (path: string): void => {
  if (!pathPattern.test(path)) throw new TypeError(`not a path of blobs: ${JSON.stringify(path)}`)
}

// Bodies whose size is known, such as the data of a blob.

/** A body of known size that is opened when it is needed. */
export type SizedBody<F> = {
  readonly bytes: number
  /** The caller reads it to the end or ends the iteration. An iteration throws a PortFailure if a store fails. */
  readonly open: TaskEither<F, AsyncIterable<Uint8Array>>
}

const wrongLength = (found: string, bytes: number): PortFailure =>
  portFailure('blob store', `a body of ${bytes} bytes has ${found}`)

/** The chunks as they arrive. Throws a PortFailure if their total size differs from `bytes`. */
export async function* chunksOf(
  bytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.length
    if (received > bytes) throw wrongLength('more', bytes)
    yield chunk
  }
  if (received < bytes) throw wrongLength(`only ${received}`, bytes)
}

/** A whole body as one array. */
export const readWhole =
  <F>({ bytes, open }: SizedBody<F>): TaskEither<F | PortFailure, Uint8Array> =>
  async () => {
    const opened = await open()
    if (E.isLeft(opened)) return opened
    const whole = new Uint8Array(bytes)
    let offset = 0
    try {
      for await (const chunk of opened.right) {
        if (offset + chunk.length > bytes) return E.left(wrongLength('more', bytes))
        whole.set(chunk, offset)
        offset += chunk.length
      }
    } catch (error) {
      if (isPortFailure(error)) return E.left(error)
      throw error
    }
    return offset < bytes ? E.left(wrongLength(`only ${offset}`, bytes)) : E.right(whole)
  }
