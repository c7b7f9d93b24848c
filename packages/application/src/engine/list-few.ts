import type { Resource } from '@publishing-service/domain'
import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { comparePlaces, placeOf, unreadable } from '@publishing-service/ports'
import { collectionNamed } from '../collections.js'
import type { Session } from '../session.js'
import { countedLinks } from './read-page.js'
import type { Test } from './filter-in-memory.js'
import { readRows, rowPlan } from './row-reader.js'

/** The number of objects that are few. */
const fewObjects = 1000

/** A page of the response: the objects with these ids, in the order of the ids. */
export const readListed = async (
  session: Session,
  resource: Resource,
  query: CollectionQuery,
  ids: readonly string[],
  hasNext: boolean,
): Promise<Listing> => {
  const of = rowPlan(session, resource, query)
  const documents = await session.documents.getMany(resource.collection, ids, of.detail)
  const states = new Map(documents.map(({ id, value }) => [id, value]))
  const listed = ids.flatMap((id) => {
    const state = states.get(id)
    return state === undefined ? [] : [{ of, id, state }]
  })
  return readRows(session, query, listed, countedLinks(query, hasNext))
}

/**
 * A page in any order, if few objects meet the conditions; null otherwise. They are sorted in memory, because a store that
 * reads in the order reads many objects for each of the few.
 */
export const listFew = async (
  session: Session,
  resource: Resource,
  query: CollectionQuery,
  where: readonly Filter[],
  test: Test,
): Promise<Listing | null> => {
  const { page, rpp, sequence } = query
  const collection = collectionNamed(resource.collection)
  const all = {
    where,
    ...query.restrictions,
    order: [],
    skip: 0,
    limit: fewObjects,
    detail: 'light',
  } as const
  const found = await session.documents.find(resource.collection, all)
  if (found.next !== null) return null
  const compare = comparePlaces(sequence)
  const sorted = found.documents
    .filter(({ value }) => value === unreadable || test(value))
    .map((document) => ({ id: document.id, place: placeOf(collection, sequence, document) }))
    .toSorted((a, b) => compare(a.place, b.place))
  const ids = sorted.slice((page - 1) * rpp, page * rpp).map(({ id }) => id)
  return readListed(session, resource, query, ids, sorted.length > page * rpp)
}
