import type { Problem, Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Document } from '@publishing-service/ports'
import type { Session } from '../session.js'
import { showObject } from './read-one.js'

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

/** Checks the precondition of a write, if it has one, against a view of the object that it changes. */
export const checkPrecondition = async (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
): Promise<void> => {
  const { precondition } = session
  if (precondition === undefined) return
  const shown = current === null ? null : await showObject(session, resource, id, current.value)
  requirePrecondition(precondition, shown)
}
