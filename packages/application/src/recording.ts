import type { ChangeMark } from '@publishing-service/domain/changes'
import type { Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Appended, DocumentChange } from '@publishing-service/ports'

/** One change of a run. */
export type AuditChange = {
  /** The instance that it belongs to; null for a change of the deployment. */
  readonly instance: number | null
  readonly operation: string
  readonly collection: string
  readonly object: string | null
  /** The name of the object. */
  readonly title?: string | null
  readonly changes?: JsonObject | null
  /** The document that was written; absent if that is none of an object with earlier versions. */
  readonly version?: RecordedVersion
  /** What it says for the feed of changes; absent if it is not a change of an object. */
  readonly mark?: ChangeMark
}

/** What the record of a change says about the versions of an object. */
export type RecordedVersion = {
  readonly kind: DocumentChange['kind']
  /** The version that the write made; for a removal, the one that it would have made. */
  readonly number: number
  /** The values before where the state after differs; all of an object that is removed, null if there was none. */
  readonly before: JsonObject | null
  /** The id of the object with which it is removed; null if it is changed by itself. */
  readonly within: string | null
}

/** Makes a write with documents that are appended to it. */
type AppendingWrite<F, A> = (appended: readonly Appended[]) => Promise<Either<F, A>>

/** Makes a write with the records of what it changes. */
export type Recorded<C> = <F, A>(change: C, write: AppendingWrite<F, A>) => Promise<Either<F, A>>

/**
 * The records of one run of an operation. Those of a write are appended to it, so that there is no change without them, and
 * none of them without the change.
 */
export type Recording<C> = {
  /** Whether changes have records, so that a removed object is in the trash. */
  readonly isRecorded: boolean
  readonly write: Recorded<C>
  /** Adds the records of a run that has changed nothing. Never rejects. */
  readonly end: (change: C) => Promise<void>
}

/** Adds no entries. */
export const unrecorded: Recording<unknown> = {
  isRecorded: false,
  write: (_change, write) => write([]),
  end: async () => undefined,
}
