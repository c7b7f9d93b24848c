import { parseCollectionQuery, type Parameters, type Listing } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/access'
import { searchIndex, searchKindsOf } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import { listKinds, type ListedKind } from '../objects/list-kinds.js'
import { pagedQueryOf } from '../objects/list-objects.js'
import type { ReadOperation } from '../operation.js'
import { markIncomplete } from './mark-incomplete.js'

/** Objects of all searched collections, by default the most relevant first (docs/behaviour/search.md#all-collections). */
export const searchObjects: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.searchObjects,
  run: async (session, { parameters }) => {
    const query = accepted(parseCollectionQuery(searchIndex, parameters, session, session.strict))
    const kinds = query.terms === null ? [] : searchKindsOf(parameters)
    const listed = kinds.map(({ kind, where }): ListedKind => ({
      resource: kind,
      selected: (selection) =>
        pagedQueryOf(
          session,
          { ...kind, filters: searchIndex.filters },
          parameters,
          { ...selection, where: [...where, ...(kind.visibility?.(session) ?? [])] },
          [],
        ),
    }))
    const collections = kinds.map(({ kind }) => kind.collection)
    return markIncomplete(session, collections, () => listKinds(session, query, listed))
  },
}
