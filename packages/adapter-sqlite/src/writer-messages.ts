/** The messages between the calling thread and the writer's thread. */
import type { Parameter } from './key-column.js'
import type { SearchByTable } from './search-entries.js'

/** A write, with its table and the document as texts. All texts are well-formed Unicode. */
export type Write =
  | {
      readonly kind: 'insert' | 'replace'
      readonly table: string
      readonly instance: number
      readonly id: string
      readonly unique: string | null
      /** The expected version of the stored document; 0 for an insert. */
      readonly version: number
      /** The values of the table's key columns. */
      readonly keys: readonly Parameter[]
      /** Whether the write may use the storage reserve, as removals may. */
      readonly urgent: boolean
      readonly light: string
      readonly heavy: string | null
    }
  | {
      readonly kind: 'remove'
      readonly table: string
      readonly instance: number
      readonly id: string
      readonly version: number
    }
  /** Writes missing entries by which words are found, or removes all. */
  | { readonly kind: 'index' | 'remove index'; readonly table: string }
  /** Writes to the disk and changes no document: checks that the store can write. */
  | { readonly kind: 'probe'; readonly urgent: boolean }

/** The outcome of a write; all but `done` have changed nothing. */
export type Outcome =
  | 'done'
  | 'version conflict'
  | 'unique conflict'
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
  /** The size of the write-ahead log in bytes above which only removals and urgent writes are made. */
  readonly largestLog: number
  /** The bytes of the storage reserve; 0 for none. */
  readonly reserve: number
  /** The quoted names of each table's key columns, in the order of the values in writes. */
  readonly keyColumns: Readonly<Record<string, readonly string[]>>
  readonly searches: SearchByTable
}

export type ToWriter =
  | { readonly kind: 'writes'; readonly writes: readonly Write[] }
  /** Gather statistics that are missing or out of date, when no write waits. */
  | { readonly kind: 'refresh statistics' }
  | { readonly kind: 'close' }

/** One outcome per write, in their order. The transaction of the writes is on the disk. */
export type FromWriter = { readonly outcomes: readonly Outcome[] }
