/** Locations near a point (docs/behaviour/locations.md#near). */
import {
  aroundCircle,
  badParameters,
  distanceOf,
  E,
  fault,
  location,
  nearLimits,
  parseCircle,
  tooFarPage,
  tooManyVenues,
  venueCircleIn,
  withVenues,
  type Circle,
  type CollectionQuery,
  type Filter,
  type Resource,
} from '@publishing-service/domain'
import { unreadable, type Cursor } from '@publishing-service/ports'
import { viewerOf } from '../caller.js'
import type { Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { detailOf, readRows, type Listing } from './row-reader.js'

/** An object and its distance from the centre of a circle, in kilometres. */
type Near = { readonly id: string; readonly distance: number }

/** The number of objects that one query returns. */
const batchSize = 1000

/** The objects in a circle that meet filters, in the order of creation; stops after more than `most`. */
const objectsIn =
  (
    { documents }: Session,
    collection: string,
    circle: Circle,
    where: readonly Filter[],
    most = Number.POSITIVE_INFINITY,
  ): Outcome<readonly Near[]> =>
  async () => {
    const found: Near[] = []
    let after: Cursor | null = null
    do {
      const page = await documents.find(collection, {
        where: [...where, aroundCircle(circle)],
        order: [],
        ...(after === null ? {} : { after }),
        skip: 0,
        limit: batchSize,
        detail: 'light',
      })()
      if (E.isLeft(page)) return page
      for (const { id, value } of page.right.documents) {
        const distance = value === unreadable ? null : distanceOf(value, circle)
        if (distance !== null && distance <= circle.kilometres) found.push({ id, distance })
      }
      after = page.right.next
    } while (after !== null && found.length <= most)
    return E.right(found)
  }

/** Of one circle, smaller ones around the same point: each has a quarter of the area of the next. */
const circlesIn = (circle: Circle): readonly Circle[] =>
  [64, 32, 16, 8, 4, 2, 1].map((divisor) => ({ ...circle, kilometres: circle.kilometres / divisor }))

/** A page of the objects in a circle, the nearest first. Its cost depends on the objects that are nearer. */
export const listNearest =
  (
    session: Session,
    resource: Resource,
    near: string,
    query: CollectionQuery,
    where: readonly Filter[],
  ): Outcome<Listing> =>
  async () => {
    const circle = parseCircle(near)
    if (E.isLeft(circle)) return E.left(badParameters([fault('near', circle.left)]))
    const { page, rpp } = query
    const end = page * rpp
    if (end > nearLimits.rows) return E.left(badParameters(tooFarPage))
    let found: readonly Near[] = []
    for (const each of circlesIn(circle.right)) {
      const inside = await objectsIn(session, resource.collection, each, where)()
      if (E.isLeft(inside)) return inside
      found = inside.right
      if (found.length > end) break
    }
    const ids = found
      .toSorted((a, b) => a.distance - b.distance)
      .slice(end - rpp, end)
      .map(({ id }) => id)
    const documents = await session.documents.getMany(resource.collection, ids, detailOf(resource, query))()
    if (E.isLeft(documents)) return documents
    const states = new Map(documents.right.map(({ id, value }) => [id, value]))
    const listed = ids.flatMap((id) => {
      const state = states.get(id)
      return state === undefined ? [] : [{ shape: resource, id, state }]
    })
    return readRows(session, query, listed, found.length > end)()
  }

/** The conditions with the locations in the circle that they name. */
export const loadVenues =
  (session: Session, where: readonly Filter[]): Outcome<readonly Filter[]> =>
  async () => {
    const circle = venueCircleIn(where)
    if (circle === null) return E.right(where)
    const visible = location.visibility?.(viewerOf(session)) ?? []
    const found = await objectsIn(session, location.collection, circle, visible, nearLimits.venues)()
    if (E.isLeft(found)) return found
    if (found.right.length > nearLimits.venues) return E.left(badParameters(tooManyVenues))
    return E.right(
      withVenues(
        where,
        found.right.map(({ id }) => id),
      ),
    )
  }
