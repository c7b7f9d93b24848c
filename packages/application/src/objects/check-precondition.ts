import type { Resource } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Session } from '../session.js'
import { requirePrecondition } from './precondition.js'
import { showObject } from './read-object.js'

/** Checks the precondition of a write, if it has one, against a view of the object that it changes. */
export const checkPrecondition = async (
  session: Session,
  resource: Resource,
  id: string,
  current: Document | null,
): Promise<void> => {
  const { precondition } = session
  if (precondition === undefined) return
  requirePrecondition(
    precondition,
    current === null ? null : await showObject(session, resource, id, current.value),
  )
}
