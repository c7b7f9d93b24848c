import { resources } from '@publishing-service/domain'
import { parseCollectionQuery, type Parameters, type Listing } from '@publishing-service/domain/lists'
import { instanceIndex, mayActAs, operations, roleNeeded } from '@publishing-service/domain/roles'
import { readPlan } from '@publishing-service/domain/engine'
import { accepted } from './attempt.js'
import { SessionView } from './session.js'
import { pageRows } from './engine/row-reader.js'
import type { ReadOperation } from './operation.js'
import { countedLinks } from './engine/read-page.js'

/**
 * The top-level collections that the caller may read (docs/behaviour/instance.md#collections), as rows.
 */
export const listCollections: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listCollections,
  run: async (session, { parameters }) => {
    const query = accepted(parseCollectionQuery(instanceIndex, parameters, session, session.strict))
    const { fields, page, rpp } = query
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
    const items = pageRows(fields, rows.slice((page - 1) * rpp, page * rpp))
    return { items, ...countedLinks(query, rows.length > page * rpp), included: null, counted: null }
  },
}
