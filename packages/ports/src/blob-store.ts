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

/** The body went past the limit; nothing is kept. */
export type BlobTooLarge = { readonly _tag: 'BlobTooLarge'; readonly limit: number }
/** The body broke off before its end; nothing is kept. */
export type BodyInterrupted = { readonly _tag: 'BodyInterrupted' }
export type BlobNotFound = { readonly _tag: 'BlobNotFound' }

/**
 * Bodies of bytes under keys. Each sentence here is a test of the conformance suite.
 *
 * - A blob that was written is read back byte for byte, whole or by range.
 * - A write that has answered is durable.
 * - A blob is there whole or not at all: nobody reads, finds or lists one that is still being written.
 * - A write over the limit, or whose body breaks off, leaves nothing behind, and what the key held before stays.
 * - A write to a key that is taken replaces the blob at once; reads under way go on with the old bytes.
 * - Bodies stream: a write or read of any size holds at most a few chunks in memory.
 * - Removing by prefix removes the blobs below that path and no others; removing what isn't there succeeds.
 * - Listing gives every blob below a path once, in any order, without holding them all.
 * - A read that is abandoned half way frees what it held.
 * - Where the store names a file for a key, the blob lies there as it is, as long as there is one.
 */
export type BlobStore = {
  readonly write: (
    key: BlobKey,
    body: AsyncIterable<Uint8Array>,
    limit: number,
  ) => TaskEither<PortFailure | BlobTooLarge | BodyInterrupted, BlobReceipt>
  /** The chunks throw a PortFailure where the store fails on the way. */
  readonly read: (
    key: BlobKey,
    range?: ByteRange,
  ) => TaskEither<PortFailure | BlobNotFound, AsyncIterable<Uint8Array>>
  /**
   * Only a store whose blobs are files of this machine has it: the path of this blob’s, whether or not there is one.
   * Another process can read the bytes there without their going through this one.
   */
  readonly file?: (key: BlobKey) => string
  /** The blob's size in bytes, or null where there is none. */
  readonly size: (key: BlobKey) => TaskEither<PortFailure, number | null>
  /** Removes the blob at this path and all blobs below `path/`. */
  readonly remove: (path: string) => TaskEither<PortFailure, void>
  /** The blobs below `path/`; all of them for the empty path. Throws a PortFailure when the store fails. */
  readonly list: (path: string) => AsyncIterable<BlobEntry>
  readonly check: () => TaskEither<PortFailure, void>
  readonly close: () => Promise<void>
}
