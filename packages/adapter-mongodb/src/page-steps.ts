/**
 * A page as a few reads, each of which an index can serve from its first document on, however far into the result.
 * Behind a cursor (a, b, sequence) come first the rest of the documents equal in a and b, by sequence; then those
 * equal in a, behind b; then those behind a. MongoDB might scan from the beginning for all three in one `$or`.
 */
import type { Document, SortDirection } from 'mongodb'
import type { Cursor, Order, Query } from '@publishing-service/ports'
import { type CollectionLayout, keyPath } from './collection-layout.js'
import { behind, type Condition, equalTo, queryConditions, typeOfKey } from './query-conditions.js'
import type { StoredDocument, StoredKey } from './stored-document.js'

export type Step = {
  readonly filter: Document
  readonly sort: ReadonlyMap<string, SortDirection>
}

export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values stand in the cursor, before the sequence. */
  readonly order: readonly Order[]
}

/** Each key once, and none that a filter holds equal. */
const effectiveOrder = (order: readonly Order[], conditions: readonly Condition[]): readonly Order[] => {
  const settled = new Set<string | null>()
  for (const { key, holdsEqual } of conditions) if (holdsEqual) settled.add(key)
  return order.filter(({ key }) => {
    if (settled.has(key)) return false
    settled.add(key)
    return true
  })
}

export const cursorAt = (order: readonly Order[], { keys, sequence }: StoredDocument): Cursor => [
  ...order.map(({ key }) => keys[key] ?? null),
  sequence,
]

type Position = { readonly values: readonly (StoredKey | null)[]; readonly sequence: number }

const positionOf = (cursor: Cursor, length: number): Position => {
  const isCursor = (value: Cursor): value is readonly Cursor[] => Array.isArray(value)
  if (!isCursor(cursor) || cursor.length !== length + 1)
    throw new Error('The cursor belongs to another query')
  const values = cursor.slice(0, -1).map((value) => {
    if (value !== null && typeof value === 'object') throw new Error('Not a cursor of this store')
    return value
  })
  return { values, sequence: Number(cursor.at(-1)) }
}

/** The reads that together give the page's documents, in this order; none where no document can be found. */
export const pagePlan = (layout: CollectionLayout, instance: number, query: Query): PagePlan => {
  const filters = queryConditions(layout, query.where)
  if (filters === null) return { steps: [], order: [] }
  const order = effectiveOrder(query.order, filters)
  for (const { key } of order) typeOfKey(layout, key)

  const step = (
    conditions: readonly Condition[],
    remaining: readonly Order[],
    after: number | null,
  ): Step => {
    const all = conditions.map(({ filter }) => filter)
    return {
      filter: {
        instance,
        ...(all.length === 0 ? {} : { $and: all }),
        ...(after === null ? {} : { sequence: { $gt: after } }),
      },
      sort: new Map<string, SortDirection>([
        ...remaining.map(({ key, direction }) => [keyPath(key), direction === 'asc' ? 1 : -1] as const),
        ['sequence', 1],
      ]),
    }
  }

  const { after = null } = query
  if (after === null) return { steps: [step(filters, order, null)], order }

  const { values, sequence } = positionOf(after, order.length)
  const equalIn = (count: number): readonly Condition[] =>
    order.slice(0, count).map(({ key }, i) => equalTo(key, values[i] ?? null))
  const beyond = order.flatMap(({ key, direction }, i) => {
    const further = behind(key, typeOfKey(layout, key), direction, values[i] ?? null)
    return further === null ? [] : [step([...filters, ...equalIn(i), further], order.slice(i), null)]
  })
  const rest = step([...filters, ...equalIn(order.length)], [], sequence)
  return { steps: [rest, ...beyond.toReversed()], order }
}
