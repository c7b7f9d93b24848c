import type { TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from './port-failure.js'

/**
 * Wall-clock time, elapsed time, waiting, positions of new documents, and turns of the event loop.
 * - The time: milliseconds since 1970-01-01T00:00:00Z, never a fraction.
 * - Elapsed time: milliseconds since an arbitrary start; it never decreases, whatever happens to the wall clock.
 * - Waiting: it resolves once so many milliseconds have elapsed.
 * - A position: a positive safe integer that grows with time, and is greater than all before it in this process.
 * - A turn: work that awaits one before each of its slices lets the event loop handle input in between, however many tasks do so.
 */
export type Clock = {
  readonly now: () => number
  /** For lifetimes and limits within one process. Its values mean nothing in another process. */
  readonly monotonic: () => number
  /** It does not prevent the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** The position of a new document among those of all processes. */
  readonly position: () => number
  /** Resolves at once if the event loop was busy only briefly, else after it has handled input: one caller at a time. */
  readonly turn: () => Promise<void>
}

/**
 * Creates identifiers.
 * - UUIDs are version 4, in lower case, and never repeat.
 * - Secrets have at least 256 random bits in characters of `A-Za-z0-9_-`.
 */
export type Ids = {
  readonly uuid: () => string
  readonly secret: () => string
  /** A short public name: 20 characters of `A-Za-z0-9_-`. */
  readonly name: () => string
}

/**
 * Hashes and verifies secrets.
 * - A hash verifies the secret that it was computed from, and no other.
 * - Two hashes of one secret differ; a hash does not contain the secret.
 * - Verifying against null takes as long as a real verification and returns false.
 * - Hashing runs outside the calling thread, at most two at a time, with a bounded queue.
 * - Verifying goes before hashing new secrets, of which one is hashed at a time, with a bounded queue of its own.
 * - A digest is always the same for the same text, and cannot be reversed.
 * - A check succeeds when hashing works, and does not wait for other hashing.
 */
export type Secrets = {
  readonly hash: (secret: string) => TaskEither<PortFailure | SecretsBusy, string>
  readonly verify: (secret: string, hash: string | null) => TaskEither<PortFailure | SecretsBusy, boolean>
  readonly check: () => TaskEither<PortFailure, void>
  /** SHA-256 in base64url: for secrets that are long and random, such as access tokens, and for names that nobody reads. */
  readonly digest: (text: string) => string
}

/** The queue of hashes is full. */
export type SecretsBusy = { readonly _tag: 'SecretsBusy' }

/**
 * SHA-256 of bytes that arrive in pieces.
 * - The same bytes return the same value, however they are split; a text counts as its UTF-8.
 */
export type Checksum = {
  readonly add: (piece: Uint8Array | string) => void
  /** The checksum of everything added, as 64 lower-case hexadecimal digits. Nothing can be added afterwards. */
  readonly value: () => string
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * Writes one line for each event.
 * - A line below the configured level is not written.
 * - A field named secret, api_secret, access_token, authorization or password is written as `[hidden]`.
 * - Closing writes what is still buffered.
 */
export type Log = {
  readonly write: (level: LogLevel, event: string, fields?: LogFields) => void
  readonly enabled: (level: LogLevel) => boolean
  readonly close: () => Promise<void>
}

/**
 * Positions of new documents: microseconds since 1970, from the milliseconds of a clock and a random fraction of one. Each is
 * greater than all before, even if the clock is set back. Two processes rarely have the same; stores tell these apart.
 */
export const growingPositions = (now: () => number, fraction: () => number = () => 0): (() => number) => {
  let last = 0
  return () => (last = Math.max(last + 1, Math.floor((now() + fraction()) * 1000)))
}

/**
 * Shares the event loop between tasks that work in slices. Adapters use it to implement the `turn` of a clock, and pass
 * the functions of the platform.
 */
export type EventLoop = {
  /** Calls back, in the order of the calls, after the event loop has handled the input that has arrived. */
  readonly afterInput: (callback: () => void) => void
  /** Milliseconds that never decrease. */
  readonly elapsed: () => number
}

/** Milliseconds for all slices between two reads of the input. The last slice may take longer. */
const share = 10

export const shareEventLoop = ({ afterInput, elapsed }: EventLoop): (() => Promise<void>) => {
  /** The end of the current share; null before the first slice since input was handled. */
  let end: number | null = null
  let latest = Promise.resolve()

  // Not async: most slices begin at once, and each request has several.
  const begin = (): Promise<void> | undefined => {
    if (end === null) {
      end = elapsed() + share
      afterInput(() => {
        end = null
      })
    } else if (elapsed() >= end) return new Promise<void>((resolve) => afterInput(resolve)).then(begin)
    return undefined
  }

  // Each call is decided after the slice before it has ended.
  return () => (latest = latest.then(begin))
}
