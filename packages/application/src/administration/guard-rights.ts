import { type RightsChange, rightsChangeProblem } from '@publishing-service/access'
import type { Change } from '@publishing-service/ports'
import { throwIf } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { putDocument } from '../document-changes.js'
import { readWaysIn } from './stored-keys.js'

const { name: collection } = systemCollections.rightsChanges
const id = 'rights'

/**
 * Checks a change of keys or rights, and returns what its write changes besides. Throws BadParameters if it needs a
 * confirmation, and TooManyKeys.
 */
export type GuardRights = (change: RightsChange, isConfirmed: boolean) => Promise<Change>

/**
 * All writes that take rights away, or add keys, change one document. So of two that together leave an instance without an
 * admin, one conflicts and is checked again.
 */
export const createGuardRights = ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>): GuardRights => {
  const system = documentsIn(documents, systemInstance)
  return async (change, isConfirmed) => {
    const found = await system.get(collection, id)
    throwIf(rightsChangeProblem(await readWaysIn(documents), change, isConfirmed))
    return putDocument(collection, { id, unique: null, value: {} }, found, clock)
  }
}
