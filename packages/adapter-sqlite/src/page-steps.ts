/**
 * A page as a few reads, each of which an index can serve from its first row on, however far into the result.
 * Behind a cursor (a, b, sequence) come first the rest of the documents equal in a and b, by sequence; then those
 * equal in a, behind b; then those behind a. One comparison of all three would not do: the sequence ascends
 * whatever the directions, and within many equal documents SQLite would read all before the cursor again.
 */
import type { Cursor, Order, Query } from '@publishing-service/ports'
import { type AskedFilters, askedFilters, type Operator, type Slot } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue, type Parameter } from './key-column.js'
import { compared, type Condition, type Conditions, queryConditions } from './query-conditions.js'
import { planStep, type Step } from './step-plan.js'

/** The reads that together give a page's documents, in this order; none where no document can be found. */
export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values stand in the cursor, before the sequence. */
  readonly order: readonly Order[]
  /** The values in the slots of the steps. */
  readonly values: readonly Parameter[]
}

/** Each key once, and none that a filter holds equal. */
const effectiveOrder = (order: readonly Order[], asked: AskedFilters): readonly Order[] => {
  const settled = new Set(
    asked.flatMap((each) => ('operator' in each && each.operator === '=' ? [each.key] : [])),
  )
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

type Plan = Pick<PagePlan, 'steps' | 'order'>

/** `position` holds the slots of the cursor's values: one for each key of the order, and the sequence. */
const planOf = (
  layout: CollectionLayout,
  { all, either }: Conditions,
  order: readonly Order[],
  position: readonly Slot[] | null,
): Plan => {
  const step = (more: readonly Condition[], remaining: readonly Order[], behind: Slot | null): Step =>
    planStep(layout, { all: [...all, ...more], either }, { order, remaining, behind })
  if (position === null) return { steps: [step([], order, null)], order }
  const at = (i: number, operator: Operator): Condition =>
    compared(order[i]?.key ?? '', operator, position[i] ?? 0)
  const equalIn = (count: number): readonly Condition[] => order.slice(0, count).map((_, i) => at(i, '='))
  const steps = order.map(({ direction }, i) =>
    step([...equalIn(i), at(i, direction === 'asc' ? '>' : '<')], order.slice(i), null),
  )
  const rest = step(equalIn(order.length), [], position.at(-1) ?? null)
  return { steps: [rest, ...steps.toReversed()], order }
}

/** Each kind of query has a plan; a service has some dozens, or hundreds with their orders. */
const keptPlans = 500

/** Plans pages, keeping the plan of each kind of query. `triedRows` is how many rows a walk is tried for. */
export const pagePlanner = () => {
  const kept = new Map<string, Plan>()

  return (layout: CollectionLayout, instance: number, query: Query, triedRows: number): PagePlan => {
    const values: Parameter[] = [instance, triedRows]
    const take = (value: Parameter): Slot => values.push(value) - 1
    const asked = askedFilters(layout, query.where, take)
    if (asked === null) return { steps: [], order: [], values }
    const order = effectiveOrder(query.order, asked)
    const { after = null } = query
    const position = after === null ? null : positionOf(after, order.length).map(take)
    const kind = JSON.stringify([layout.name, asked, order, position])
    let plan = kept.get(kind)
    if (plan === undefined) {
      plan = planOf(layout, queryConditions(layout, asked), order, position)
      const [oldest] = kept.keys()
      if (kept.size >= keptPlans && oldest !== undefined) kept.delete(oldest)
      kept.set(kind, plan)
    }
    return { ...plan, values }
  }
}
