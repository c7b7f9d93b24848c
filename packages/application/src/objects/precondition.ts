import { E, type JsonObject, type Problem } from '@publishing-service/domain'

/**
 * The condition of a write on the object as its caller reads it, null where there is none: If-Match and
 * If-None-Match (docs/behaviour/writing.md#preconditions).
 */
export type Precondition = (current: JsonObject | null) => boolean

const failed: Problem = { _tag: 'PreconditionFailed' }

/** Whether a write may go on over what its caller reads now. */
export const requirePrecondition = (
  precondition: Precondition | undefined,
  current: JsonObject | null,
): E.Either<Problem, void> =>
  precondition === undefined || precondition(current) ? E.right(undefined) : E.left(failed)
