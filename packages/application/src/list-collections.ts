import {
  badParameters,
  E,
  instanceIndex,
  mayActAs,
  parseCollectionQuery,
  resources,
  roleNeeded,
  rowOf,
  TE,
  type Parameters,
} from '@publishing-service/domain'
import { viewerOf, type Caller } from './caller.js'
import type { Outcome } from './failure.js'
import type { Listing } from './objects/list-objects.js'

/** The top-level collections that the caller may read (decisions §5.1), as a collection of its own. */
export const listCollections = (caller: Caller, parameters: Parameters): Outcome<Listing> => {
  const query = parseCollectionQuery(instanceIndex, parameters, viewerOf(caller), caller.strict)
  if (E.isLeft(query)) return TE.left(badParameters(query.left))
  const { page, rpp } = query.right
  const readable = resources.filter(({ collection }) => {
    const needed = roleNeeded(collection, 'read')
    return needed !== null && mayActAs(caller.role, needed)
  })
  const view = { ...viewerOf(caller), links: caller.links, find: () => undefined }
  const rows = readable.map((resource) =>
    rowOf(instanceIndex, query.right.fields, {}, { ...view, id: resource.collection }),
  )
  return TE.right({
    items: rows.slice((page - 1) * rpp, page * rpp),
    page,
    hasNext: rows.length > page * rpp,
  })
}
