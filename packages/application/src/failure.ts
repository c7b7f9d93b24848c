import { TE, type Problem, type TaskEither } from '@publishing-service/domain'
import { isPortFailure, type PortFailure } from '@publishing-service/ports'

/** Why a use case failed: a rule refuses it, or a part behind a port is out of reach. */
export type Failure = Problem | PortFailure

export type Outcome<A> = TaskEither<Failure, A>

/** Something stored isn't what was written. The log says what; the client learns nothing of it. */
export const internalError: Problem = { _tag: 'InternalError' }

/** For what an iteration over the data of a download throws. */
export const isDownloadFailure = (error: unknown): error is Failure =>
  isPortFailure(error) || error === internalError
/** Goes on where there is no problem. */
export const failIf = (problem: Problem | null): Outcome<void> =>
  problem === null ? TE.right(undefined) : TE.left(problem)

/** Concurrent writes changed the same object at each attempt; the client may try again at once. */
export const contended: Problem = { _tag: 'Unavailable', retryAfter: 1 }
