import { parseCollectionQuery, type Parameters, type Listing } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { visibilityOf, searchIndex, searchKindsOf } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import { listKinds } from '../engine/list-kinds.js'
import { listedKind } from '../engine/list.js'
import type { ReadOperation } from '../operation.js'

/** Objects of all searched collections, by default the most relevant first (docs/behaviour/search.md#all-collections). */
export const searchObjects: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.searchObjects,
  run: (session, { parameters }) => {
    const query = accepted(parseCollectionQuery(searchIndex, parameters, session, session.strict))
    const kinds = query.restrictions.words === undefined ? [] : searchKindsOf(parameters)
    const listed = kinds.map(({ kind, where }) =>
      listedKind(session, kind, [...where, ...visibilityOf(kind, session)], query.test),
    )
    return listKinds(session, query, listed)
  },
}
