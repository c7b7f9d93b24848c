import type { Problem, TaskEither } from '@publishing-service/domain'
import type { PortFailure } from '@publishing-service/ports'

/** Why a use case didn't do what was asked: a rule said no, or a part behind a port is out of reach. */
export type Failure = Problem | PortFailure

export type Outcome<A> = TaskEither<Failure, A>

/** Others kept changing the same object; the client may try again at once. */
export const contended: Problem = { _tag: 'Unavailable', retryAfter: 1 }
