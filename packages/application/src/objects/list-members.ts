import {
  badParameters,
  E,
  parseCollectionQuery,
  pipe,
  rowOf,
  rowsOfMembers,
  TE,
  type MemberList,
  type Parameters,
} from '@publishing-service/domain'
import { viewerOf, viewBy } from '../caller.js'
import type { Operation } from '../operation.js'
import { detailOf, type Listing } from './list-objects.js'
import { loadReferences, lookupsOfStates } from './load-references.js'
import { loadMembers } from './member-lists.js'
import { pageRows } from './page-rows.js'

/**
 * The members of an object as rows, in the order of the list, with the fields of their collection
 * (docs/behaviour/collections.md#subcollections).
 */
export const listMembers = (
  list: MemberList,
): Operation<{ readonly id: string; readonly parameters: Parameters }, Listing> => ({
  name: 'listMembers',
  subject: list.resource.collection,
  action: 'read',
  run: (session, { id, parameters }) => {
    const shape = rowsOfMembers(list)
    const query = parseCollectionQuery(shape, parameters, viewerOf(session), session.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page, rpp } = query.right
    return pipe(
      // One more than the page has, to know whether more follow.
      loadMembers(session, list, id, page * rpp + 1, detailOf(shape, fields)),
      TE.chain((members) => {
        const rows = members.slice((page - 1) * rpp, page * rpp)
        const states = rows.map(({ state }) => state)
        return pipe(
          loadReferences(session, lookupsOfStates(shape, states, fields)),
          TE.chainEitherKW((find) =>
            pageRows(
              fields,
              rows.map((row) => rowOf(shape, fields, row.state, viewBy(session, row.id, { find }))),
            ),
          ),
          TE.map((items) => ({ items, page, hasNext: members.length > page * rpp })),
        )
      }),
    )
  },
})
