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
import type { DocumentStore } from '@publishing-service/ports'
import { viewerOf, viewBy, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { detailOf, type Listing } from './list-objects.js'
import { loadReferences, lookupsOfStates } from './load-references.js'
import { readMembers } from './member-lists.js'
import { pageRows } from './page-rows.js'

/** The members of an object as rows, in their own order, with the fields of their collection (decisions §4). */
export const listMembers =
  (documents: DocumentStore) =>
  (list: MemberList, caller: Caller, id: string, parameters: Parameters): Outcome<Listing> => {
    const viewer = viewerOf(caller)
    const asked = rowsOfMembers(list)
    const query = parseCollectionQuery(asked, parameters, viewer, caller.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page, rpp } = query.right
    return pipe(
      // One more than the page holds tells whether more follow.
      readMembers(documents)(list, caller, id, page * rpp + 1, detailOf(asked, fields)),
      TE.chain((members) => {
        const rows = members.slice((page - 1) * rpp, page * rpp)
        const states = rows.map(({ state }) => state)
        return pipe(
          loadReferences(documents)(caller, lookupsOfStates(asked, states, fields)),
          TE.chainEitherKW((find) =>
            pageRows(
              fields,
              rows.map((row) => rowOf(asked, fields, row.state, viewBy(caller, row.id, { find }))),
            ),
          ),
          TE.map((items) => ({ items, page, hasNext: members.length > page * rpp })),
        )
      }),
    )
  }
