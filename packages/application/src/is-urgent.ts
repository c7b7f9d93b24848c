import { resourceOf } from '@publishing-service/domain'
import type { Change } from '@publishing-service/ports'
import { systemCollections } from './collections.js'
import { hasDeletionMark } from './engine/deletion-mark.js'

const { users, keys, tokens, removals, rightsChanges, instances, audit } = systemCollections

/** The documents of the service itself that sign-in, revocations and deletions write. */
const urgentCollections: ReadonlySet<string> = new Set(
  [users, keys, tokens, removals, rightsChanges, instances, audit].map(({ name }) => name),
)

/**
 * Whether a change may use the space that a store reserves for a full disk: removals, the steps of a deletion, and what
 * sign-in and the administration of users, keys and instances write (docs/decisions/0045-space-is-reserved-for-a-full-disk.md).
 */
export const isUrgent = (collection: string, change: Change): boolean => {
  if (change.kind === 'remove' || urgentCollections.has(collection)) return true
  const { value } = change.document
  return hasDeletionMark(value) || resourceOf(collection)?.placeholder?.is(value) === true
}
