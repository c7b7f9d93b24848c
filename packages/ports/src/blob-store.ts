import type { TaskEither } from '@publishing-service/domain'
import type { PortFailure } from './port-failure.js'

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

/** Both ends included, counted in bytes from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A blob that is being read. */
export type BlobRead = {
  /** Of the whole blob, whatever range is read. */
  readonly bytes: number
  /** Throw a PortFailure where the store fails on the way. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The body went past the limit; nothing is kept. */
export type BlobTooLarge = { readonly _tag: 'BlobTooLarge'; readonly limit: number }
/** The body broke off before its end; nothing is kept. */
export type BodyInterrupted = { readonly _tag: 'BodyInterrupted' }
export type BlobNotFound = { readonly _tag: 'BlobNotFound' }

/**
 * Bodies of bytes under keys. Each sentence here is a test of the conformance suite.
 *
 * - A blob that was written is read back byte for byte, whole or by range.
 * - A read says how many bytes the whole blob has; a range that reaches past its end gives the bytes that there are.
 * - A write that has answered is durable.
 * - A blob is there whole or not at all: nobody reads, finds or lists one that is still being written.
 * - A write over the limit, or whose body breaks off, leaves nothing behind, and what the key held before stays.
 * - A write to a key that is taken replaces the blob at once; reads under way go on with the old bytes.
 * - Bodies stream: a write or read of any size holds at most a few chunks in memory.
 * - Removing by prefix removes the blobs below that path and no others; removing what isn't there succeeds.
 * - Listing gives every blob below a path once, in any order, without holding them all.
 * - A read that is abandoned half way frees what it held.
 */
export type BlobStore = {
  readonly write: (
    key: BlobKey,
    body: AsyncIterable<Uint8Array>,
    limit: number,
  ) => TaskEither<PortFailure | BlobTooLarge | BodyInterrupted, BlobReceipt>
  readonly read: (key: BlobKey, range?: ByteRange) => TaskEither<PortFailure | BlobNotFound, BlobRead>
  /** The blob's size in bytes, or null where there is none. */
  readonly size: (key: BlobKey) => TaskEither<PortFailure, number | null>
  /** Removes the blob at this path and all blobs below `path/`. */
  readonly remove: (path: string) => TaskEither<PortFailure, void>
  /** The blobs below `path/`; all of them for the empty path. Throws a PortFailure when the store fails. */
  readonly list: (path: string) => AsyncIterable<BlobEntry>
  readonly check: () => TaskEither<PortFailure, void>
  readonly close: () => Promise<void>
}
