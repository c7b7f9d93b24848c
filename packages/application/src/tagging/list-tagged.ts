import {
  badParameters,
  collectionsAccepting,
  E,
  filtersForKind,
  isPredicate,
  notFound,
  operations,
  parseCollectionQuery,
  pipe,
  tag,
  taggedAs,
  taggedIndex,
  taggedKinds,
  TE,
  type CollectionQuery,
  type Parameters,
  type Predicate,
  type Resource,
  type Listing,
} from '@publishing-service/domain'

import { collectionNamed } from '../collections.js'
import type { Outcome } from '../failure.js'
import { listKinds, type ListedKind } from '../objects/list-kinds.js'
import { loadConditions, pagedQueryOf } from '../objects/list-objects.js'
import { findVisible } from '../objects/read-object.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { markIncomplete } from '../search/mark-incomplete.js'

type Wanted = {
  readonly predicate: Predicate
  readonly tagId: string
  readonly parameters: Parameters
}

/** The tagged objects of one kind; null if no object of the kind can be listed. */
const taggedOf =
  (
    session: Session,
    kind: Resource,
    { predicate, tagId, parameters }: Wanted,
    { where, terms }: CollectionQuery,
  ): Outcome<ListedKind | null> =>
  async () => {
    if (terms !== null && kind.filters['q'] === undefined) return E.right(null)
    const { keys } = collectionNamed(kind.collection)
    const filters = filtersForKind(kind, where, (key) => Object.hasOwn(keys, key))
    if (filters === null) return E.right(null)
    const conditions = await loadConditions(session, kind, filters)()
    if (E.isLeft(conditions)) return conditions
    return E.right({
      resource: kind,
      selected: (selection) =>
        pagedQueryOf(
          session,
          { ...kind, filters: taggedIndex.filters },
          parameters,
          {
            ...selection,
            where: [...conditions.right, ...(kind.visibility?.(session) ?? [])],
          },
          [{ key: 'tagged_as', has: taggedAs(predicate, tagId) }],
        ),
    })
  }

const listPage =
  (session: Session, wanted: Wanted, query: CollectionQuery): Outcome<Listing> =>
  async () => {
    const accepting: readonly string[] = collectionsAccepting(wanted.predicate)
    const kinds: ListedKind[] = []
    for (const kind of taggedKinds) {
      if (!accepting.includes(kind.collection)) continue
      const tagged = await taggedOf(session, kind, wanted, query)()
      if (E.isLeft(tagged)) return tagged
      if (tagged.right !== null) kinds.push(tagged.right)
    }
    const page = listKinds(session, query, kinds)
    const searched = kinds.map(({ resource }) => resource.collection)
    return query.terms === null ? page() : markIncomplete(session, searched, page)()
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
  run: (session, { tagId, predicate, parameters }) => {
    if (!isPredicate(predicate)) return TE.left(notFound)
    const query = parseCollectionQuery(taggedIndex, parameters, session, session.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    return pipe(
      findVisible(session, tag, tagId),
      TE.chain(() => listPage(session, { predicate, tagId, parameters }, query.right)),
    )
  },
}
