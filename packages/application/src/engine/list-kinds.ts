import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import { searchLevels } from '@publishing-service/domain/search'
import { placeOf, unreadable, type Document } from '@publishing-service/ports'
import { collectionNamed } from '../collections.js'
import type { Session } from '../session.js'
import { withCounts } from './count-kinds.js'
import { readMerged, type Source } from './read-merged.js'
import type { ListedKind } from './read-page.js'
import { createRowReader, rowPlan, type RowPlan } from './row-reader.js'

type KindSource = Source & RowPlan

/** The objects that contain all terms at each level, the best level first, and among them the newest first. */
const byRelevance = (
  session: Session,
  query: CollectionQuery,
  words: NonNullable<CollectionQuery['restrictions']['words']>,
  kinds: readonly ListedKind[],
): readonly KindSource[] => {
  const sources: KindSource[] = []
  for (const best of searchLevels)
    for (const { resource, selected } of kinds) {
      const position = sources.length
      sources.push({
        ...rowPlan(session, resource, query),
        find: selected({ ...query.restrictions, words: { ...words, best }, order: [], insertion: 'desc' }),
        placeOf: ({ value }) => (value === unreadable ? null : { values: [], position }),
      })
    }
  return sources
}

/** The objects of each kind in the order. Those without a key of the order have no value. */
const byOrder = (
  session: Session,
  query: CollectionQuery,
  kinds: readonly ListedKind[],
): readonly KindSource[] =>
  kinds.map(({ resource, selected }, position) => {
    const { order } = query
    const collection = collectionNamed(resource.collection)
    const ofKind = order.filter(({ key }) => Object.hasOwn(collection.keys, key))
    return {
      ...rowPlan(session, resource, query),
      find: selected({ ...query.restrictions, order: ofKind }),
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
  const { order, restrictions, counting } = query
  const { words } = restrictions
  const sources =
    words !== undefined && order.length === 0
      ? byRelevance(session, query, words, kinds)
      : byOrder(session, query, kinds)
  const { addRows, finish } = createRowReader(session, query)
  const links = await readMerged<Document, KindSource>({ sources, order }, query, (found) =>
    addRows(found.map(({ source, item: { id, value } }) => ({ of: source, id, state: value }))),
  )
  const listing = await finish(links)
  return counting === null ? listing : withCounts(session, kinds, query, counting, listing)
}
