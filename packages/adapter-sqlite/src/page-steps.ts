/**
 * A page as a few reads, each of which an index can serve from its first row on, however far into the result.
 * Behind a cursor (a, b, sequence) come first the rest of the documents equal in a and b, by sequence; then those
 * equal in a, behind b; then those behind a. One comparison of all three would not do: the sequence ascends
 * whatever the directions, and within many equal documents SQLite would read all before the cursor again.
 */
import type { Cursor, Order, Query } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue } from './key-column.js'
import { compared, type Condition, type Parameter, queryConditions } from './query-conditions.js'
import { planStep, type Step } from './step-plan.js'

export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values stand in the cursor, before the sequence. */
  readonly order: readonly Order[]
}

/** Each key once, and none that a filter holds equal. */
const effectiveOrder = (order: readonly Order[], conditions: readonly Condition[]): readonly Order[] => {
  const settled = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ key }) => key))
  return order.filter(({ key }) => {
    if (settled.has(key)) return false
    settled.add(key)
    return true
  })
}

/** A number that is absent is −∞ in its column, which JSON can't write. */
const asJson = (value: Parameter): Parameter | null => (value === Number.NEGATIVE_INFINITY ? null : value)

export const cursorAt = (values: readonly Parameter[], sequence: number): Cursor => [
  ...values.map(asJson),
  sequence,
]

const positionOf = (cursor: Cursor, length: number): readonly Parameter[] => {
  const isCursor = (value: Cursor): value is readonly Cursor[] => Array.isArray(value)
  if (!isCursor(cursor) || cursor.length !== length + 1)
    throw new Error('The cursor belongs to another query')
  return cursor.map((value) => {
    if (value === null) return absentValue.number
    if (typeof value === 'string' || typeof value === 'number') return value
    throw new Error('Not a cursor of this store')
  })
}

/** The reads that together give the page's documents, in this order; none where no document can be found. */
export const pagePlan = (layout: CollectionLayout, instance: number, query: Query): PagePlan => {
  const filters = queryConditions(layout, query.where)
  if (filters === null) return { steps: [], order: [] }
  const { all, either } = filters
  const order = effectiveOrder(query.order, all)
  const step = (more: readonly Condition[], remaining: readonly Order[], behind: number | null): Step =>
    planStep(layout, instance, { all: [...all, ...more], either }, { order, remaining, behind })

  const after = query.after ?? null
  if (after === null) return { steps: [step([], order, null)], order }

  const position = positionOf(after, order.length)
  const at = (i: number, operator: '=' | '<' | '>'): Condition =>
    compared(order[i]?.key ?? '', operator, position[i] ?? 0)
  const equalIn = (count: number): readonly Condition[] => order.slice(0, count).map((_, i) => at(i, '='))
  const steps = order.map(({ direction }, i) =>
    step([...equalIn(i), at(i, direction === 'asc' ? '>' : '<')], order.slice(i), null),
  )
  const rest = step(equalIn(order.length), [], Number(position.at(-1)))
  return { steps: [rest, ...steps.toReversed()], order }
}
