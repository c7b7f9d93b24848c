import type { Fails, ProblemTag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Action, OperationAccess, ReadAction } from '@publishing-service/domain/roles'
import type { Fail } from './failure.js'
import type { Session } from './session.js'

/** What an operation has changed: an object of its subject, or null for the whole. */
export type Changed = {
  readonly object: string | null
  /** What changed in users, roles, keys and settings; never secrets. */
  readonly changes?: JsonObject
}

/** Ends with `failWith`, or throws a failure that none declares. */
type Runs<Input, Output, F extends ProblemTag> = {
  readonly run: (session: Session, input: Input, failWith: Fail<F>) => Promise<Output>
}

type Reads<Input, Output, F extends ProblemTag> = OperationAccess<ReadAction> & Runs<Input, Output, F>

type Writes<Input, Output, F extends ProblemTag> = OperationAccess<Exclude<Action, ReadAction>> &
  Runs<Input, Output, F> & {
    /**
     * What the audit log records of a run, null if nothing; `id` is that of the document that it has written, null if it has
     * written none.
     */
    readonly changed: (input: Input, id: string | null) => Changed | null
  }

/** A use case of an instance that reads, and that declares the problems `F`. */
export type ReadOperation<Input, Output, F extends ProblemTag = never> = Reads<Input, Output, F> & Fails<F>

/** A use case of an instance that writes, and that declares the problems `F`. */
export type WriteOperation<Input, Output, F extends ProblemTag = never> = Writes<Input, Output, F> & Fails<F>

/**
 * A use case of an instance, as a value, whatever it declares: it runs in a session of a caller whose role permits the
 * action on the subject.
 */
export type Operation<Input, Output> = Reads<Input, Output, ProblemTag> | Writes<Input, Output, ProblemTag>
