import {
  badParameters,
  E,
  instanceIndex,
  mayActAs,
  parseCollectionQuery,
  pipe,
  resources,
  roleNeeded,
  rowOf,
  TE,
  type Parameters,
} from '@publishing-service/domain'
import { viewerOf, viewBy, type Caller } from './caller.js'
import type { Outcome } from './failure.js'
import type { Listing } from './objects/list-objects.js'
import { pageRows } from './objects/page-rows.js'

/** The top-level collections that the caller may read (decisions §5.1), as a collection of its own. */
export const listCollections = (caller: Caller, parameters: Parameters): Outcome<Listing> => {
  const query = parseCollectionQuery(instanceIndex, parameters, viewerOf(caller), caller.strict)
  if (E.isLeft(query)) return TE.left(badParameters(query.left))
  const { page, rpp } = query.right
  const readable = resources.filter(({ collection }) => {
    const needed = roleNeeded(collection, 'read')
    return needed !== null && mayActAs(caller.role, needed)
  })
  const rows = readable
    .flatMap(({ collection, subcollections = [] }) => [
      collection,
      ...subcollections.map(({ segments }) => segments),
    ])
    .map((id) => rowOf(instanceIndex, query.right.fields, {}, viewBy(caller, id)))
  return pipe(
    TE.fromEither(pageRows(query.right.fields, rows.slice((page - 1) * rpp, page * rpp))),
    TE.map((items) => ({ items, page, hasNext: rows.length > page * rpp })),
  )
}
