import { type OwnedKey, type RightsChange, rightsChangeProblem } from '@publishing-service/access'
import { putDocument, type Change } from '@publishing-service/ports'
import { throwIf } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { readWaysIn } from './stored-keys.js'

const { name: collection } = systemCollections.rightsChanges
const id = 'rights'

/** Checks a change of keys or rights by the present keys, and returns what its write changes besides. */
export type GuardRights = (check: (keys: readonly OwnedKey[]) => void) => Promise<Change>

/** Throws BadParameters if a change needs a confirmation. */
export const confirmedOr =
  (change: RightsChange, isConfirmed: boolean): Parameters<GuardRights>[0] =>
  (keys) =>
    throwIf(rightsChangeProblem(keys, change, isConfirmed))

/**
 * All writes that take rights away, or add keys, change one document. So of two that together leave an instance without an
 * admin, one conflicts and is checked again.
 */
export const createGuardRights = ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>): GuardRights => {
  const system = documentsIn(documents, systemInstance)
  return async (check) => {
    const found = await system.get(collection, id)
    check(await readWaysIn(documents))
    return putDocument(collection, { id, unique: null, value: {} }, found, clock)
  }
}
