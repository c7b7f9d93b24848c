import type { Resource } from '@publishing-service/domain'
import type { Reference } from '@publishing-service/domain/declare'
import { typesNamedIn, typesToLoad, withLocationTypes } from '@publishing-service/domain/locations'
import { locationTypesReference, tagsNamedIn, withExistingTags } from '@publishing-service/domain/tags'
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
import { listFew, listNearest, loadVenues } from '../locations/nearest.js'
import { withCounts } from './count-kinds.js'
import { listKinds } from './list-kinds.js'
import { loadSubtrees } from './load-subtrees.js'
import { documentsMeeting, readPage, type ListedKind } from './read-page.js'
import { refined, type Test } from './refined.js'
import { createRowReader, rowPlan } from './row-reader.js'
import { visibleOnly } from './visible-only.js'

/** The conditions with tags instead of the location types that they name. Needs two queries if they name any. */
const loadTypes = async (session: Session, where: readonly Filter[]): Promise<readonly Filter[]> => {
  const names = typesNamedIn(where)
  if (names.length === 0) return where
  const category = await loadReferences(session, lookupsOfReferences([locationTypesReference]))
  const types = typesToLoad(names, category)
  const tags = await loadReferences(session, lookupsOfReferences(types))
  return withLocationTypes(where, types, tags)
}

type Filtered = Pick<Resource, 'attributes'>

/** Whether a condition can name objects: by one of several values, or by a text of a list. */
const canNameObjects = (filter: Filter): boolean =>
  'oneOf' in filter || 'has' in filter || 'anyOf' in filter || 'hasNone' in filter

/** The objects of which conditions may name one that the caller does not see. */
const namedIn = (session: Session, filtered: Filtered, where: readonly Filter[]): readonly Reference[] => [
  ...tagsNamedIn(where),
  ...referencesNamedIn(filtered, where, session),
]

/**
 * The conditions of a query with the tags, location types and other objects that they name: one that does not exist, or that
 * the caller does not see, matches nothing.
 */
const loadNamed = async (
  session: Session,
  filtered: Filtered,
  where: readonly Filter[],
): Promise<readonly Filter[]> => {
  const found = await loadReferences(session, lookupsOfReferences(namedIn(session, filtered, where)))
  const visible = withVisibleReferences(filtered, where, session, found)
  const existing = withExistingTags(visible, (tag) => found('tags', tag) !== undefined)
  return loadSubtrees(session, await loadTypes(session, existing))
}

/**
 * The conditions of a query with the objects that they name. Needs one query for the objects that the caller may
 * not see, two for location types, and those of the locations in a circle and of subtrees.
 */
export const loadConditions = async (
  session: Session,
  filtered: Filtered,
  where: readonly Filter[],
): Promise<readonly Filter[]> =>
  where.some(canNameObjects) ? loadVenues(session, await loadNamed(session, filtered, where)) : where

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
    return test === null ? visible : refined(visible, test)
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
    const named = [...within, ...(await loadNamed(session, resource, query.where))]
    const nearest = await listNearest(session, resource, nearestTo, query, named)
    if (counting === null) return nearest
    const kind = listedKind(session, resource, await loadVenues(session, named), test)
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
