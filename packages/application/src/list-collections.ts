import {
  badParameters,
  E,
  instanceIndex,
  mayActAs,
  operations,
  parseCollectionQuery,
  pipe,
  resources,
  roleNeeded,
  readPlan,
  TE,
  type Parameters,
  type Listing,
} from '@publishing-service/domain'
import { SessionView } from './caller.js'
import { pageRows } from './objects/page-rows.js'
import type { ReadOperation } from './operation.js'

/**
 * The top-level collections that the caller may read (docs/behaviour/instance.md#collections), as rows.
 */
export const listCollections: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listCollections,
  run: (session, { parameters }) => {
    const query = parseCollectionQuery(instanceIndex, parameters, session, session.strict)
    if (E.isLeft(query)) return TE.left(badParameters(query.left))
    const { fields, page, rpp } = query.right
    const readable = resources.filter(({ collection }) => {
      const needed = roleNeeded(collection, 'read')
      return needed !== null && mayActAs(session.role, needed)
    })
    const plan = readPlan(instanceIndex, session, fields)
    const rows = readable
      .flatMap(({ collection, subcollections = [] }) => [
        collection,
        ...subcollections.map(({ segments }) => segments),
      ])
      .map((id) => plan.row({}, new SessionView(session, id)))
    return pipe(
      TE.fromEither(pageRows(fields, rows.slice((page - 1) * rpp, page * rpp))),
      TE.map((items) => ({ items, page, hasNext: rows.length > page * rpp, included: null })),
    )
  },
}
