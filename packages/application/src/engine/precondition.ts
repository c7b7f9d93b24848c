import type { Problem } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'

/**
 * Whether a write may change the object, in the form that its caller reads, null if it does not exist: If-Match and
 * If-None-Match (docs/behaviour/writing.md#preconditions).
 */
export type Precondition = (current: JsonObject | null) => boolean

const failed: Problem = { _tag: 'PreconditionFailed' }

/** Fails if the precondition is not met by what the caller reads now. */
export const requirePrecondition = (
  precondition: Precondition | undefined,
  current: JsonObject | null,
): void => {
  if (precondition !== undefined && !precondition(current)) throw failed
}
