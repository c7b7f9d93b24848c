import type { MemberList } from '@publishing-service/domain/declare'
import {
  countLimits,
  parseCollectionQuery,
  totalOf,
  type Parameters,
  type Listing,
} from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { rowsOfMembers } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import type { ReadOperation } from '../operation.js'
import { loadMembers } from './member-lists.js'
import { readRows, rowPlan } from '../engine/row-reader.js'
import { countedLinks } from '../engine/read-page.js'

/**
 * The members of an object as rows, in the order of the list, with the fields of their collection
 * (docs/behaviour/collections.md#subcollections).
 */
export const listMembers = (
  list: MemberList,
): ReadOperation<{ readonly id: string; readonly parameters: Parameters }, Listing> => ({
  ...operations.listMembers(list.resource.collection),
  run: async (session, { id, parameters }) => {
    const shape = rowsOfMembers(list)
    const query = accepted(parseCollectionQuery(shape, parameters, session, session.strict))
    const { page, rpp, counting } = query
    const isCounted = counting?.total === true
    // One more than the page has, to know whether more follow.
    const most = Math.max(page * rpp, isCounted ? countLimits.exact : 0) + 1
    const of = rowPlan(session, shape, query)
    const members = await loadMembers(session, list, id, most, of.detail)
    const rows = members.slice((page - 1) * rpp, page * rpp)
    const listing = await readRows(
      session,
      query,
      rows.map(({ id: member, state }) => ({ of, id: member, state })),
      countedLinks(query, members.length > page * rpp),
    )
    return isCounted ? { ...listing, counted: { total: totalOf(members.length) } } : listing
  },
})
