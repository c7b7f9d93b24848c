import type { Resource } from '@publishing-service/domain'
import {
  parseCollectionQuery,
  type CollectionQuery,
  type Parameters,
  type Listing,
} from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import { referencesNamedIn, withVisibleReferences } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { loadReferences, lookupsOfReferences } from './load-related.js'
import { withCounts } from './count-kinds.js'
import { listFew } from './list-few.js'
import { listKinds } from './list-kinds.js'
import { documentsMeeting, readPage, type ListedKind } from './read-page.js'
import { filteredInMemory, type Test } from './filter-in-memory.js'
import { createRowReader, rowPlan } from './row-reader.js'
import { visibleOnly } from './visible-only.js'

type Filtered = Pick<Resource, 'attributes'>

/** Whether a condition can name objects: by one of several values, or by a text of a list. */
const canNameObjects = (filter: Filter): boolean =>
  'oneOf' in filter || 'has' in filter || 'anyOf' in filter || 'hasNone' in filter

/**
 * The conditions of a query with the objects that they name: one that does not exist, or that the caller does not see,
 * matches nothing. Needs one query for objects that the caller may not see, and those of the topics.
 */
const loadNamed = async (
  session: Session,
  filtered: Filtered,
  where: readonly Filter[],
): Promise<readonly Filter[]> => {
  const { namedIn, named } = session.topics
  const references = [...namedIn(where), ...referencesNamedIn(filtered, where, session)]
  const find = await loadReferences(session, lookupsOfReferences(references))
  let found = withVisibleReferences(filtered, where, session, find)
  for (const replace of named) found = await replace(session, found, find)
  return found
}

/** The conditions of a query with the objects that they name, and those in the circle that they name. */
export const loadConditions = async (
  session: Session,
  filtered: Filtered,
  where: readonly Filter[],
): Promise<readonly Filter[]> =>
  where.some(canNameObjects)
    ? session.topics.near.named(session, await loadNamed(session, filtered, where))
    : where

/** The objects of a collection that meet conditions, and those of parameters that stores cannot evaluate. */
export const listedKind = (
  session: Session,
  resource: Resource,
  where: readonly Filter[],
  test: Test | null,
): ListedKind => ({
  resource,
  where,
  isRefined: test !== null || resource.visibleWith !== undefined,
  selected: (selection) => {
    const meeting = documentsMeeting(session.documents, resource.collection, { where, ...selection })
    const visible = resource.visibleWith === undefined ? meeting : visibleOnly(session, resource, meeting)
    return test === null ? visible : filteredInMemory(visible, test)
  },
})

/** A page of the objects that meet conditions, in the order of the query. */
const readOrdered = async (
  session: Session,
  query: CollectionQuery,
  { resource, selected }: ListedKind,
): Promise<Listing> => {
  const { addRows, finish } = createRowReader(session, query)
  const of = rowPlan(session, resource, query)
  const result = selected({ order: query.sequence, ...query.restrictions })
  const links = await readPage(result, query, of.detail, (found) =>
    addRows(found.map(({ id, value: state }) => ({ of, id, state }))),
  )
  return finish(links)
}

/**
 * A page of the objects that also meet `within` (docs/behaviour/collections.md). Needs one query, and one more
 * for what the fields refer to, with their counts.
 */
export const listPage = async (
  session: Session,
  resource: Resource,
  parameters: Parameters,
  within: readonly Filter[] = [],
): Promise<Listing> => {
  const query = accepted(parseCollectionQuery(resource, parameters, session, session.strict))
  const { nearestTo, order, restrictions, test, counting } = query
  if (nearestTo !== null) {
    const { near } = session.topics
    const named = [...within, ...(await loadNamed(session, resource, query.where))]
    const nearest = await near.list(session, resource, nearestTo, query, named)
    if (counting === null) return nearest
    const kind = listedKind(session, resource, await near.named(session, named), test)
    return withCounts(session, [kind], query, counting, nearest)
  }
  const where = [...within, ...(await loadConditions(session, resource, query.where))]
  const kind = listedKind(session, resource, where, test)
  if (restrictions.words !== undefined && order.length === 0) return listKinds(session, query, [kind])
  const few = test === null ? null : await listFew(session, resource, query, where, test)
  const listing = few ?? (await readOrdered(session, query, kind))
  return counting === null ? listing : withCounts(session, [kind], query, counting, listing)
}

/** A page of a collection. */
export const listObjects = (
  resource: Resource,
): ReadOperation<{ readonly parameters: Parameters }, Listing> => ({
  ...operations.listObjects(resource.collection),
  run: (session, { parameters }) => listPage(session, resource, parameters),
})
