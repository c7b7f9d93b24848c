/** A write as texts, which a statement has as parameters, and its outcome. */
import type { Expectation, NewDocument } from '@publishing-service/ports'
import type { DocumentTexts } from './entries.js'

/** A new document in its texts, with its position and version. */
type NewTexts = DocumentTexts & Required<Pick<NewDocument, 'position' | 'version'>>

/** A change, in the texts of its document, or an expectation. */
export type ChangeTexts = { readonly collection: string } & (
  | { readonly kind: 'insert'; readonly document: NewTexts }
  | { readonly kind: 'replace'; readonly document: DocumentTexts & { readonly version: number } }
  | { readonly kind: 'remove'; readonly id: string; readonly version: number }
  | Expectation
)

/** The changes of a write, with the documents that are appended. */
export type WriteTexts = {
  readonly instance: number
  readonly changes: readonly ChangeTexts[]
  readonly appended: readonly InsertTexts[]
  /** Bytes of the documents in UTF-8. */
  readonly bytes: number
}

export type InsertTexts = {
  readonly collection: string
  readonly instance: number
  readonly document: NewTexts
}

/** A conflict of the change with this number, after which the transaction must be rolled back. */
export type Conflict = { readonly conflict: 'version' | 'unique'; readonly change: number }

/** The outcome of a write: the position of the document of each change, 0 of an expectation; or a conflict. */
export type Outcome = { readonly positions: readonly number[] } | Conflict
