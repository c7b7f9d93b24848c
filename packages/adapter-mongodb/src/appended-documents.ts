/**
 * Documents that are appended with a change. MongoDB promises a write of one document only, so they are first stored in
 * the changed document, by the same write, and the mover inserts them into their collections. A removed document with
 * appended ones remains as a tombstone, which no read, count or unique index sees, until they are moved.
 */
import { randomUUID } from 'node:crypto'
import { BSON, type Document as Update } from 'mongodb'
import { type Appended, maxAppendedBytes, type NewDocument, readDocument } from '@publishing-service/ports'

type StoredAppended = {
  readonly collection: string
  readonly instance: number
  readonly id: string
  readonly position: NewDocument['position']
  /** Absent in what an earlier release has appended, which was 1. */
  readonly version?: number
  /** JSON, because names of attributes can have a meaning to a server. */
  readonly value: string
}

/** What is still to be moved from a document: the appended documents of one write. */
export type Pending = {
  readonly appended: readonly StoredAppended[]
  /** Different for each write, so that a mover removes only what it has moved. */
  readonly moving: string
}

/** The document with which another was appended. */
export type Origin = { readonly collection: string; readonly name: string }

/** The most bytes that they need in the changed document. */
export const largestPending = 3 * maxAppendedBytes

/** Null without appended documents. Throws if they are larger than the port allows. */
export const pendingOf = (appended: readonly Appended[]): Pending | null => {
  if (appended.length === 0) return null
  const pending: Pending = {
    moving: randomUUID(),
    appended: appended.map(({ collection, instance, document: { id, position, version = 1, value } }) => ({
      collection,
      instance,
      id,
      position,
      version,
      value: JSON.stringify(value),
    })),
  }
  if (BSON.calculateObjectSize(pending) > largestPending)
    throw new Error(`Appended documents are larger than ${maxAppendedBytes} bytes together`)
  return pending
}

/** A stored appended document as it was appended. */
export const asAppended = ({
  collection,
  instance,
  id,
  position,
  version = 1,
  value,
}: StoredAppended): Omit<Appended, 'document'> & { readonly document: NewDocument } => ({
  collection,
  instance,
  document: { id, position, version, unique: null, value: readDocument(value, null) },
})

/** An update that removes what was moved. */
export const withoutPending: Update = { $unset: { appended: '', moving: '' } }

const content = [
  'unique',
  'version',
  'sequence',
  'keys',
  'texts',
  'words',
  'tallied',
  'layout',
  'light',
  'heavy',
]

/** An update to a tombstone. Its name in place of the instance is no instance, and differs for unique indexes. */
export const burying = (name: string, pending: Partial<Pending>): Update => ({
  $set: { ...pending, removed: true, instance: name },
  $unset: Object.fromEntries([...content, 'origin'].map((field) => [field, ''])),
})
