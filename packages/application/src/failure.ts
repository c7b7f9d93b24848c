import type { Problem, ProblemTag, ProblemsByTag } from '@publishing-service/domain'
import { TE, type TaskEither } from '@publishing-service/domain/fp'
import { isPortFailure, type PortFailure } from '@publishing-service/ports'

/** Why a use case failed that declares the problems `F`: a rule rejects it, or a port fails. */
export type Failure<F extends ProblemTag = never> = Problem<F> | PortFailure

export type AnyFailure = Failure<ProblemTag>

export type Outcome<A, F extends ProblemTag = never> = TaskEither<Failure<F>, A>

type Ends<P> = (failure: Failure | P) => never

/** Ends an operation that declares the problems `F`. */
export type Fail<F extends ProblemTag = never> = Ends<ProblemsByTag[F]>

/** A request has no token where one is needed. */
export const unauthorized: Problem = { _tag: 'Unauthorized' }

/** Stored data differs from what was written. The details are in the log and not in the response. */
export const internalError: Problem = { _tag: 'InternalError' }

/** A document would be longer than this number of bytes. */
export const tooLarge = (limit: number): Problem => ({ _tag: 'TooLarge', limit })

/** Concurrent writes changed the same object at each attempt. The client may retry immediately. */
export const contended: Problem = { _tag: 'Unavailable', retryAfter: 1 }

type WriteFailure = PortFailure | { readonly _tag: string }

/** A write that fails only if the store does, or if other writes precede it. */
export const orContended = <A>(write: TaskEither<WriteFailure, A>): Outcome<A> =>
  TE.mapLeft((failure: WriteFailure): Failure => (isPortFailure(failure) ? failure : contended))(write)
