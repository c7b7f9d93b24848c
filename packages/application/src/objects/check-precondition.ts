import { pipe, TE, type JsonObject, type Resource } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'
import type { Session } from '../session.js'
import { requirePrecondition, type Precondition } from './precondition.js'
import { showObject } from './read-object.js'

/** Checks the precondition of a write against a view of the object that it changes. */
export const checkPrecondition = (
  session: Session,
  precondition: Precondition,
  resource: Resource,
  id: string,
  current: Document | null,
): Outcome<void> => {
  const view: Outcome<JsonObject | null> =
    current === null ? TE.right(null) : showObject(session, resource, id, current.value)
  return pipe(
    view,
    TE.chainEitherKW((shown) => requirePrecondition(precondition, shown)),
  )
}
