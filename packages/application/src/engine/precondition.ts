import type { Problem } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { fail } from '../attempt.js'

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
  if (precondition !== undefined && !precondition(current)) fail(failed)
}

/** The precondition of a request, which knows whether its operation has checked it. */
type StatedPrecondition = {
  readonly precondition: Precondition | undefined
  /** Checks it if the operation has not: what it changes has no representation, so no entity tag is one of it. */
  readonly requireChecked: () => void
}

export const statedPrecondition = (stated: Precondition | undefined): StatedPrecondition => {
  if (stated === undefined) return { precondition: undefined, requireChecked: () => undefined }
  let isChecked = false
  const precondition: Precondition = (current) => {
    isChecked = true
    return stated(current)
  }
  const requireChecked = () => {
    if (!isChecked) requirePrecondition(precondition, null)
  }
  return { precondition, requireChecked }
}
