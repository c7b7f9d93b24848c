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
import { viewerOf, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Listing } from './list-objects.js'
import { loadReferences, lookupsOfStates } from './load-references.js'
import { readMembers } from './member-lists.js'

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
      readMembers(documents)(list, caller, id, page * rpp + 1),
      TE.chain((members) => {
        const rows = members.slice((page - 1) * rpp, page * rpp)
        const states = rows.map(({ state }) => state)
        return pipe(
          loadReferences(documents)(caller, lookupsOfStates(asked, states, fields)),
          TE.map((find) => ({
            items: rows.map((row) =>
              rowOf(asked, fields, row.state, { ...viewer, id: row.id, links: caller.links, find }),
            ),
            page,
            hasNext: members.length > page * rpp,
          })),
        )
      }),
    )
  }
