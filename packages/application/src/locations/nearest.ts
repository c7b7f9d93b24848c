/** Locations, and events at them, near a point (docs/behaviour/locations.md#near). */
import { visibilityOf } from '@publishing-service/domain/engine'
import { badParameters, fault, location, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  aroundCircle,
  distanceOf,
  nearLimits,
  parseCircle,
  tooFarPage,
  tooManyVenues,
  venueCircleIn,
  withoutCircle,
  withVenues,
  type Circle,
} from '@publishing-service/domain/locations'
import type { CollectionQuery, Listing } from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { unreadable, type Cursor } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import type { Session } from '../session.js'
import { readListed } from '../engine/list-few.js'
import type { Selection } from '../engine/read-page.js'

/** What objects have to meet. */
type Selected = Omit<Selection, 'order' | 'insertion'>

/** An object and its distance from the centre of a circle, in kilometres. */
type Near = { readonly id: string; readonly distance: number }

/** The number of objects that one query returns. */
const batchSize = 1000

/** The objects that meet filters and have a distance, in the order of creation; stops after more than `most`. */
const objectsAt = async (
  { documents }: Session,
  collection: string,
  selected: Selected,
  distanceAt: (state: JsonObject) => number | null | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Near[]> => {
  const found: Near[] = []
  let after: Cursor | null = null
  do {
    const page = await documents.find(collection, {
      ...selected,
      order: [],
      ...(after === null ? {} : { after }),
      skip: 0,
      limit: batchSize,
      detail: 'light',
    })
    for (const { id, value } of page.documents) {
      const distance = value === unreadable ? null : (distanceAt(value) ?? null)
      if (distance !== null) found.push({ id, distance })
    }
    after = page.next
  } while (after !== null && found.length <= most)
  return found
}

/** The objects in a circle that meet filters, in the order of creation; stops after more than `most`. */
const objectsIn = (
  session: Session,
  collection: string,
  circle: Circle,
  { where, ...restrictions }: Selected,
  most?: number,
): Promise<readonly Near[]> =>
  objectsAt(
    session,
    collection,
    { where: [...where, aroundCircle(circle)], ...restrictions },
    (state) => {
      const distance = distanceOf(state, circle)
      return distance !== null && distance <= circle.kilometres ? distance : null
    },
    most,
  )

const byDistance = (objects: readonly Near[]): readonly Near[] =>
  objects.toSorted((a, b) => a.distance - b.distance)

/** Of one circle, smaller ones around the same point: each has a quarter of the area of the next. */
const circlesIn = (circle: Circle): readonly Circle[] =>
  [64, 32, 16, 8, 4, 2, 1].map((divisor) => ({ ...circle, kilometres: circle.kilometres / divisor }))

/** The objects in a circle, the nearest first; more than `most` if there are as many. */
const nearestObjects = async (
  session: Session,
  collection: string,
  circle: Circle,
  selected: Selected,
  most: number,
): Promise<readonly Near[]> => {
  let found: readonly Near[] = []
  for (const each of circlesIn(circle)) {
    const inside = await objectsIn(session, collection, each, selected)
    found = inside
    if (found.length > most) break
  }
  return byDistance(found)
}

/** The locations in a circle that the role sees, or the fault that there are too many. */
const venuesIn = async (session: Session, circle: Circle): Promise<readonly Near[]> => {
  const visible = visibilityOf(location, session)
  const found = await objectsIn(session, location.collection, circle, { where: visible }, nearLimits.venues)
  if (found.length > nearLimits.venues) fail(badParameters(tooManyVenues))
  return found
}

/** In batches of growing size, because a page may need the nearest alone. Those at the same distance are in one batch. */
const batchesOf = (venues: readonly Near[]): readonly (readonly Near[])[] => {
  const batches: (readonly Near[])[] = []
  for (let start = 0, end = 0; start < venues.length; start = end) {
    end = Math.min(venues.length, Math.max(1, start * 2))
    while (end < venues.length && venues[end]?.distance === venues[end - 1]?.distance) end += 1
    batches.push(venues.slice(start, end))
  }
  return batches
}

/** The events at locations in a circle, the nearest first; more than `most` if there are as many. */
const nearestEvents = async (
  session: Session,
  collection: string,
  circle: Circle,
  { where, ...restrictions }: Selected,
  most: number,
): Promise<readonly Near[]> => {
  const venues = await venuesIn(session, circle)
  const distances = new Map<unknown, number>(venues.map(({ id, distance }) => [id, distance]))
  const found: Near[] = []
  for (const batch of batchesOf(byDistance(venues))) {
    const conditions = withVenues(
      where,
      batch.map(({ id }) => id),
    )
    const events = await objectsAt(
      session,
      collection,
      { where: conditions, ...restrictions },
      ({ location_uuid }) => distances.get(location_uuid),
    )
    found.push(...byDistance(events))
    if (found.length > most) break
  }
  return found
}

/** A page of the objects in a circle, the nearest first. Its cost depends on the objects that are nearer. */
export const listNearest = async (
  session: Session,
  resource: Resource,
  near: string,
  query: CollectionQuery,
  where: readonly Filter[],
): Promise<Listing> => {
  const circle = parseCircle(near)
  if (E.isLeft(circle)) fail(badParameters([fault('near', 'parameter', circle.left)]))
  const { page, rpp, restrictions } = query
  const end = page * rpp
  if (end > nearLimits.rows) fail(badParameters(tooFarPage))
  const { collection } = resource
  const nearest =
    venueCircleIn(where) === null
      ? nearestObjects(
          session,
          collection,
          circle.right,
          { where: withoutCircle(where), ...restrictions },
          end,
        )
      : nearestEvents(session, collection, circle.right, { where, ...restrictions }, end)
  const found = await nearest
  const ids = found.slice(end - rpp, end).map(({ id }) => id)
  return readListed(session, resource, query, ids, found.length > end)
}

/** The conditions with the locations in the circle that they name. */
export const loadVenues = async (session: Session, where: readonly Filter[]): Promise<readonly Filter[]> => {
  const circle = venueCircleIn(where)
  if (circle === null) return where
  const found = await venuesIn(session, circle)
  return withVenues(
    where,
    found.map(({ id }) => id),
  )
}
