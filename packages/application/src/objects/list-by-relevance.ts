import {
  E,
  searchLevels,
  type CollectionQuery,
  type Resource,
  type SearchTerm,
} from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import type { Source } from './read-merged.js'
import type { PagedQuery, Selection } from './read-page.js'
import type { Listing } from './listing.js'
import { createRowReader, detailOf } from './row-reader.js'

/** A collection that is searched, and its query with further conditions. */
export type Searched = {
  readonly resource: Resource
  readonly selected: (selection: Omit<Selection, 'where'>) => PagedQuery
}

/**
 * A page of the objects that contain all terms: those that have them in their titles, then in titles and descriptions,
 * then anywhere; among them the newest first. Needs up to three queries for each collection.
 */
export const listByRelevance =
  (
    session: Session,
    query: CollectionQuery,
    terms: readonly SearchTerm[],
    searched: readonly Searched[],
  ): Outcome<Listing> =>
  async () => {
    const { page, rpp } = query
    const sources = searchLevels
      .flatMap((best) => searched.map((each) => ({ ...each, best })))
      .map(({ resource, selected, best }, sequence): Source & { readonly resource: Resource } => ({
        resource,
        result: selected({ words: { terms, best }, order: [], newestFirst: true }),
        detail: detailOf(resource, query),
        positionOf: () => ({ values: [], sequence }),
      }))
    const { addRows, finish } = createRowReader(session, query)
    const range = { skip: (page - 1) * rpp, limit: rpp }
    const hasNext = await session.merged.read({ sources, order: [] }, range, (found) =>
      addRows(
        found.map(({ source, document: { id, value } }) => ({ shape: source.resource, id, state: value })),
      ),
    )
    return E.isLeft(hasNext) ? hasNext : finish(page, hasNext.right)()
  }
