/** The messages between the calling thread and the writer's thread. */
import type { Collection } from '@publishing-service/ports'
import type { Outcome as WriteOutcome, WriteTexts } from '@publishing-service/sql-kit'

/** `urgent` writes may use the storage reserve. */
export type Write =
  | { readonly kind: 'write'; readonly write: WriteTexts; readonly urgent: boolean }
  /** Writes to the disk and changes no document: checks that the store can write. */
  | { readonly kind: 'probe'; readonly urgent: boolean }
  /** Indexes words of changed documents; `merges`: and merges some segments of the index, which takes some milliseconds. */
  | {
      readonly kind: 'index'
      readonly collection: string
      readonly merges: boolean
      readonly urgent: boolean
    }

/** The outcome of a write; all but positions have changed nothing. */
export type Outcome =
  | WriteOutcome
  /** The disk or the file is full: SQLite's message. */
  | { readonly full: string }
  /** The environment failed: SQLite's message. */
  | { readonly failure: string }
  /** A defect of the program: SQLite's message. */
  | { readonly defect: string }

/** The settings with which the writer's thread is started. */
export type WriterSettings = {
  readonly file: string
  /** Milliseconds that a transaction waits for that of another process. */
  readonly busyTimeout: number
  /** The size of the file in bytes above which writes fail; null for no limit. */
  readonly largestFile: number | null
  /** The size of the write-ahead log in bytes above which only urgent writes are made. */
  readonly largestLog: number
  /** The bytes of the storage reserve; 0 for none. */
  readonly reserve: number
  readonly collections: readonly Collection[]
}

export type ToWriter =
  | { readonly kind: 'writes'; readonly writes: readonly Write[] }
  /** Gather statistics that are missing or out of date, when no write waits. */
  | { readonly kind: 'refresh statistics' }
  | { readonly kind: 'close' }

/** One outcome per write, in their order. The transaction of the writes is on the disk. */
export type FromWriter = { readonly outcomes: readonly Outcome[] }
