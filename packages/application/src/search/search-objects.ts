import {
  badParameters,
  E,
  operations,
  parseCollectionQuery,
  searchIndex,
  searchKindsOf,
  TE,
  type Parameters,
  type Listing,
} from '@publishing-service/domain'

import { listKinds } from '../objects/list-kinds.js'
import { pagedQueryOf } from '../objects/list-objects.js'
import type { ReadOperation } from '../operation.js'
import { markIncomplete } from './mark-incomplete.js'

/** Objects of all searched collections, by default the most relevant first (docs/behaviour/search.md#all-collections). */
export const searchObjects: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.searchObjects,
  run: (session, { parameters }) => {
    const viewer = session
    const query = parseCollectionQuery(searchIndex, parameters, viewer, session.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const kinds = query.right.terms === null ? [] : searchKindsOf(parameters)
    const page = listKinds(
      session,
      query.right,
      kinds.map(({ kind, where }) => ({
        resource: kind,
        selected: (selection) =>
          pagedQueryOf(
            session,
            { ...kind, filters: searchIndex.filters },
            parameters,
            { ...selection, where: [...where, ...(kind.visibility?.(viewer) ?? [])] },
            [],
          ),
      })),
    )
    return markIncomplete(
      session,
      kinds.map(({ kind }) => kind.collection),
      page,
    )
  },
}
