import { visibilityOf } from '@publishing-service/domain/engine'
import { notFound, tag, type Resource } from '@publishing-service/domain'
import {
  collectionsAccepting,
  filtersForKind,
  isPredicate,
  taggedAs,
  taggedIndex,
  taggedKinds,
  type Predicate,
} from '@publishing-service/domain/tags'
import {
  parseCollectionQuery,
  type CollectionQuery,
  type Parameters,
  type Listing,
} from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { accepted, fail } from '../attempt.js'
import { collectionNamed } from '../collections.js'
import { listKinds } from '../engine/list-kinds.js'
import { listedKind, loadConditions } from '../engine/list.js'
import { findVisible } from '../engine/read-one.js'
import type { ListedKind } from '../engine/read-page.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'

type Wanted = {
  readonly predicate: Predicate
  readonly tagId: string
}

/** The tagged objects of one kind; null if no object of the kind can be listed. */
const taggedOf = async (
  session: Session,
  kind: Resource,
  { predicate, tagId }: Wanted,
  { where, restrictions, test }: CollectionQuery,
): Promise<ListedKind | null> => {
  if (restrictions.words !== undefined && kind.filters['q'] === undefined) return null
  const { keys } = collectionNamed(kind.collection)
  const filters = filtersForKind(kind, where, (key) => Object.hasOwn(keys, key))
  if (filters === null) return null
  const conditions = await loadConditions(session, kind, filters)
  const tagged = { key: 'tagged_as', has: taggedAs(predicate, tagId) }
  return listedKind(session, kind, [tagged, ...conditions, ...visibilityOf(kind, session)], test)
}

const listPage = async (session: Session, wanted: Wanted, query: CollectionQuery): Promise<Listing> => {
  const accepting: readonly string[] = collectionsAccepting(wanted.predicate)
  const kinds: ListedKind[] = []
  for (const kind of taggedKinds) {
    if (!accepting.includes(kind.collection)) continue
    const tagged = await taggedOf(session, kind, wanted, query)
    if (tagged !== null) kinds.push(tagged)
  }
  return listKinds(session, query, kinds)
}

/**
 * The objects that a tag is attached to by a predicate, as rows (docs/behaviour/tags.md#objects-of-a-tag). The rows of
 * the collections are merged in the order.
 */
export const listTagged: ReadOperation<
  { readonly tagId: string; readonly predicate: string; readonly parameters: Parameters },
  Listing
> = {
  ...operations.listTagged,
  run: async (session, { tagId, predicate, parameters }) => {
    if (!isPredicate(predicate)) fail(notFound)
    const query = accepted(parseCollectionQuery(taggedIndex, parameters, session, session.strict))
    await findVisible(session, tag, tagId)
    return listPage(session, { predicate, tagId }, query)
  },
}
