/** What the calling thread and the writer say to each other. */
import type { Parameter } from './key-column.js'

/** One write, ready for SQLite: the table, and the document as texts. All texts are well-formed. */
export type Write =
  | {
      readonly kind: 'insert' | 'replace'
      readonly table: string
      readonly instance: number
      readonly id: string
      readonly unique: string | null
      /** The version that the document has now; 0 where it is inserted. */
      readonly version: number
      /** The values of the table's key columns. */
      readonly keys: readonly Parameter[]
      /** May use the space that is held back, as removals may. */
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
  /** Writes to the disk and changes no document: shows that the store can take a write. */
  | { readonly kind: 'probe' }

/** What became of one write; all but `done` have changed nothing. */
export type Outcome =
  | 'done'
  | 'version conflict'
  | 'unique conflict'
  /** There is no room: what SQLite said. */
  | { readonly full: string }
  /** The surroundings failed: what SQLite said. */
  | { readonly failure: string }
  /** The program is wrong: what SQLite said. */
  | { readonly defect: string }

/** Handed to the writer when it starts. */
export type WriterSettings = {
  readonly file: string
  /** Milliseconds that a transaction waits for another process's. */
  readonly busyTimeout: number
  /** The file's size in bytes past which writes fail; null for none but the disk's. */
  readonly largestFile: number | null
  /** The size in bytes of the file that holds disk space back; 0 for none. */
  readonly reserve: number
  /** The names of each table's key columns, quoted, in the order in which writes give their values. */
  readonly keyColumns: Readonly<Record<string, readonly string[]>>
}

export type ToWriter =
  | { readonly kind: 'writes'; readonly writes: readonly Write[] }
  /** Gather statistics where they are missing or out of date, when nothing else waits. */
  | { readonly kind: 'refresh statistics' }
  | { readonly kind: 'close' }

/** One outcome a write, in the order in which they came. The transaction that holds the writes is on the disk. */
export type FromWriter = { readonly outcomes: readonly Outcome[] }
