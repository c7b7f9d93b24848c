import type { Role } from '../role/permissions.js'
import { derived } from './attribute.js'
import type { Count } from './view-context.js'

/** The collection of drafts, with the keys that tell of which object each is: a list of its collection, and its UUID; and of when it is published. */
export const draftsCollection = { name: 'drafts', of: 'collections', object: 'object', due: 'due' } as const

/** Whether an object of a collection has a draft, for the roles that may edit it. */
export const hasDraft = (collection: string, visibleTo: Role) => {
  const counts: Count = {
    collection: draftsCollection.name,
    key: draftsCollection.of,
    text: collection,
    within: draftsCollection.object,
  }
  return derived(
    { type: 'boolean' },
    'Whether it has a draft: changes that are not published. Only for roles that may edit.',
    (_state, view) => view.count(counts) > 0,
    { counts, visibleTo, sparse: true },
  )
}
