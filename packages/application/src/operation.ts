import type { JsonObject } from '@publishing-service/domain/json'
import type { Action, OperationAccess, ReadAction } from '@publishing-service/domain/roles'
import type { Session } from './session.js'

/** What an operation has changed: an object of its subject, or null for the whole. */
export type Changed = {
  readonly object: string | null
  /** What changed in users, roles, keys and settings; never secrets. */
  readonly changes?: JsonObject
}

/** Throws a Failure, which ends the operation. */
type Runs<Input, Output> = { readonly run: (session: Session, input: Input) => Promise<Output> }

/** A use case of an instance that reads. */
export type ReadOperation<Input, Output> = OperationAccess<ReadAction> & Runs<Input, Output>

/** A use case of an instance that writes. */
export type WriteOperation<Input, Output> = OperationAccess<Exclude<Action, ReadAction>> &
  Runs<Input, Output> & {
    /**
     * What the audit log records of a run, null if nothing; `id` is that of the document that it has written, null if it has
     * written none.
     */
    readonly changed: (input: Input, id: string | null) => Changed | null
  }

/**
 * A use case of an instance, as a value: it runs in a session of a caller whose role permits the action on the subject.
 */
export type Operation<Input, Output> = ReadOperation<Input, Output> | WriteOperation<Input, Output>
