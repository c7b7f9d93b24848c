import { pipe, TE, type JsonObject, type Resource } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { requirePrecondition } from './precondition.js'
import { showObject } from './read-object.js'

/** The precondition of a write, over the object that it changes: costs a view of its state, if there is a condition. */
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
    TE.chainEitherKW((shown) => requirePrecondition(precondition, shown)),
  )
}
