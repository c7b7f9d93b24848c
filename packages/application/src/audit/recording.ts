import type { Either } from '@publishing-service/domain/fp'
import type { Appended } from '@publishing-service/ports'

/** Makes a write with documents that are appended to it. */
type AppendingWrite<F, A> = (appended: readonly Appended[]) => Promise<Either<F, A>>

/** Makes a write with the audit entries of what it changes. */
export type Recorded<C> = <F, A>(change: C, write: AppendingWrite<F, A>) => Promise<Either<F, A>>

/**
 * The audit entries of one run of an operation. They are appended to the first write that succeeds of those that make its
 * change, so that there is no change without them, and none of them without the change.
 */
export type Recording<C> = {
  readonly write: Recorded<C>
  /** Makes a write that undoes the change, with entries that say so. */
  readonly undo: <F, A>(write: AppendingWrite<F, A>) => Promise<Either<F, A>>
  /** Adds the entries after a run that has changed nothing. Never rejects. */
  readonly end: (change: C) => Promise<void>
}

/** Adds no entries. */
export const unrecorded: Recording<unknown> = {
  write: (_change, write) => write([]),
  undo: (write) => write([]),
  end: async () => undefined,
}
