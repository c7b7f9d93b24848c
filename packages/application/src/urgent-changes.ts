/** The changes that free space or protect accounts, which a full disk must not prevent; among them the steps of a deletion. */
import { resourceOf } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Change } from '@publishing-service/ports'
import { systemCollections } from './collections.js'

/**
 * A key in the stored value of an object that is being deleted. It is not an attribute: a write of the object removes
 * it. That cancels the deletion, which only removes the version that it has marked.
 */
export const deletionMark = 'being_deleted'

export const withDeletionMark = (value: JsonObject): JsonObject => ({ ...value, [deletionMark]: true })
export const withoutDeletionMark = ({ [deletionMark]: _mark, ...value }: JsonObject): JsonObject => value

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
  return value[deletionMark] !== undefined || resourceOf(collection)?.placeholder?.is(value) === true
}
