import type { Resource } from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import type { Session } from '../session.js'
import { requirePrecondition, type Precondition } from './precondition.js'
import { showObject } from './read-object.js'

/** Checks the precondition of a write against a view of the object that it changes. */
export const checkPrecondition = async (
  session: Session,
  precondition: Precondition,
  resource: Resource,
  id: string,
  current: Document | null,
): Promise<void> =>
  requirePrecondition(
    precondition,
    current === null ? null : await showObject(session, resource, id, current.value),
  )
