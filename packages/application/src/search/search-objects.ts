import { parseCollectionQuery, type Parameters, type Listing } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/access'
import { visibilityOf, searchIndex, searchKindsOf } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import { listKinds, type ListedKind } from '../engine/list-kinds.js'
import { findingPages } from '../engine/list.js'
import type { ReadOperation } from '../operation.js'

/** Objects of all searched collections, by default the most relevant first (docs/behaviour/search.md#all-collections). */
export const searchObjects: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.searchObjects,
  run: (session, { parameters }) => {
    const query = accepted(parseCollectionQuery(searchIndex, parameters, session, session.strict))
    const kinds = query.terms === null ? [] : searchKindsOf(parameters)
    const listed = kinds.map(({ kind, where }): ListedKind => ({
      resource: kind,
      selected: (selection) =>
        findingPages(
          session,
          { ...kind, filters: searchIndex.filters },
          parameters,
          { ...selection, where: [...where, ...visibilityOf(kind, session)] },
          [],
        ),
    }))
    return listKinds(session, query, listed)
  },
}
