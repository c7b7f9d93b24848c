import type { Resource } from '@publishing-service/domain'
import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import { searchLevels } from '@publishing-service/domain/search'
import { placeOf, unreadable, type Document } from '@publishing-service/ports'
import { collectionNamed } from '../collections.js'
import type { Session } from '../session.js'
import { withCounts } from './count-kinds.js'
import { readMerged, type Source } from './read-merged.js'
import { restrictionsOf, type ListedKind } from './read-page.js'
import { createRowReader, detailOf } from './row-reader.js'

type KindSource = Source & { readonly resource: Resource }

/** The objects that contain all terms at each level, the best level first, and among them the newest first. */
const byRelevance = (
  query: CollectionQuery,
  terms: NonNullable<CollectionQuery['terms']>,
  kinds: readonly ListedKind[],
): readonly KindSource[] =>
  searchLevels
    .flatMap((best) => kinds.map((kind) => ({ ...kind, best })))
    .map(({ resource, selected, best }, position) => ({
      resource,
      find: selected({ ...query.named, words: { terms, best }, order: [], insertion: 'desc' }),
      detail: detailOf(resource, query),
      placeOf: ({ value }) => (value === unreadable ? null : { values: [], position }),
    }))

/** The objects of each kind in the order. Those without a key of the order have no value. */
const byOrder = (query: CollectionQuery, kinds: readonly ListedKind[]): readonly KindSource[] =>
  kinds.map(({ resource, selected }, position) => {
    const { order } = query
    const collection = collectionNamed(resource.collection)
    const ofKind = order.filter(({ key }) => Object.hasOwn(collection.keys, key))
    return {
      resource,
      find: selected({ ...restrictionsOf(query), order: ofKind }),
      detail: detailOf(resource, query),
      placeOf: (document) => {
        if (document.value === unreadable) return null
        const { values } = placeOf(collection, ofKind, document)
        return { values: order.map((each) => values[ofKind.indexOf(each)] ?? null), position }
      },
    }
  })

/**
 * A page of the objects of some kinds: in the order of the query; without one by relevance if words are searched
 * (docs/behaviour/search.md#relevance), or else kind after kind. By relevance it needs up to three queries for each kind.
 */
export const listKinds = async (
  session: Session,
  query: CollectionQuery,
  kinds: readonly ListedKind[],
): Promise<Listing> => {
  const { order, terms, counting } = query
  const sources =
    terms !== null && order.length === 0 ? byRelevance(query, terms, kinds) : byOrder(query, kinds)
  const { addRows, finish } = createRowReader(session, query)
  const links = await readMerged<Document, KindSource>({ sources, order }, query, (found) =>
    addRows(found.map(({ source, item: { id, value } }) => ({ shape: source.resource, id, state: value }))),
  )
  const listing = await finish(links)
  return counting === null ? listing : withCounts(session, kinds, query, counting, listing)
}
