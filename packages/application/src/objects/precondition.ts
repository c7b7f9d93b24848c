import { E, pipe, TE, type JsonObject, type Problem, type Resource } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { showObject } from './read-object.js'

/**
 * The condition of a write on the object as its caller reads it, null where there is none: If-Match and
 * If-None-Match (decisions §2.6).
 */
export type Precondition = (current: JsonObject | null) => boolean

const failed: Problem = { _tag: 'PreconditionFailed' }

/** Whether a write may go on over what its caller reads now. */
export const permits = (
  precondition: Precondition | undefined,
  current: JsonObject | null,
): E.Either<Problem, void> =>
  precondition === undefined || precondition(current) ? E.right(undefined) : E.left(failed)

/** Costs a view of the current state, and nothing where the write is unconditional. */
export const checkPrecondition = (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
): Outcome<void> => {
  const { precondition } = session
  if (precondition === undefined) return TE.right(undefined)
  const view: Outcome<JsonObject | null> =
    current === null ? TE.right(null) : showObject(session, resource, id, current.value)
  return pipe(
    view,
    TE.chainEitherKW((shown) => permits(precondition, shown)),
  )
}
