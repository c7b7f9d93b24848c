/** The changes that free space or protect accounts, which a full disk must not prevent. */
import { resourceOf } from '@publishing-service/domain'
import { placeholderOf } from '@publishing-service/domain/engine'
import type { Change } from '@publishing-service/ports'
import { systemCollections } from './collections.js'

const { users, keys, tokens, cascades, rightsChanges, instances, audit } = systemCollections

/** The documents of the service itself that sign-in, revocations and deletions write. */
const reservedFor: ReadonlySet<string> = new Set(
  [users, keys, tokens, cascades, rightsChanges, instances, audit].map(({ name }) => name),
)

/**
 * Whether a change may use the space that a store reserves for a full disk: removals, the steps of a deletion, and what
 * sign-in and the administration of users, keys and instances write (docs/decisions/0045-space-is-reserved-for-a-full-disk.md).
 */
export const mayUseReserve = (change: Change): boolean => {
  const { collection, kind } = change
  if ((kind !== 'insert' && kind !== 'replace') || reservedFor.has(collection)) return true
  const resource = resourceOf(collection)
  return resource !== undefined && placeholderOf(resource)?.by.is(change.document.value) === true
}
