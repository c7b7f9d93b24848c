/**
 * A page as a few reads, each of which an index can serve from its first row on, however far into the result. With one
 * comparison of all keys SQLite would read, within many equal documents, all before the cursor again.
 */
import {
  type Cursor,
  cursorAt,
  type Order,
  positionIn,
  type Query,
  queryConditions,
  queryOrder,
  rangesAfter,
} from '@publishing-service/ports'
import { askedFilters, type Slot } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue, columnValue, type Parameter } from './key-column.js'
import { compared, type Condition, type Conditions, sqlConditions } from './sql-conditions.js'
import { planStep, type Step } from './step-plan.js'

/** The reads that together give a page's documents, in this order; none where no document can be found. */
export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values stand in the cursor, before the sequence. */
  readonly order: readonly Order[]
  /** The values in the slots of the steps. */
  readonly values: readonly Parameter[]
}

/** A number that is absent is −∞ in its column, which JSON can't write. */
const asJson = (value: Parameter): Parameter | null => (value === Number.NEGATIVE_INFINITY ? null : value)

/** A cursor holds the values of the columns. */
export const cursorOf = (values: readonly Parameter[], sequence: number): Cursor =>
  cursorAt({ values: values.map(asJson), sequence })

const parametersIn = (cursor: Cursor, keys: number): readonly Parameter[] => {
  const { values, sequence } = positionIn(cursor, keys)
  return [
    ...values.map((value) => (value === null ? absentValue.number : columnValue('text', value))),
    sequence,
  ]
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
  const steps = rangesAfter(order, position).map(({ equal, behind, remaining }) =>
    step(
      [
        ...equal.map((slot, i) => compared(order[i]?.key ?? '', '=', slot)),
        ...(behind === null
          ? []
          : [compared(behind.order.key, behind.order.direction === 'asc' ? '>' : '<', behind.value)]),
      ],
      remaining,
      behind === null ? (position.at(-1) ?? null) : null,
    ),
  )
  return { steps, order }
}

/** Each kind of query has a plan; a service has some dozens, or hundreds with their orders. */
const keptPlans = 500

/** Plans pages, keeping the plan of each kind of query. `triedRows` is how many rows a walk is tried for. */
export const pagePlanner = () => {
  const kept = new Map<string, Plan>()

  return (layout: CollectionLayout, instance: number, query: Query, triedRows: number): PagePlan => {
    const values: Parameter[] = [instance, triedRows]
    const take = (value: Parameter): Slot => values.push(value) - 1
    const { declared } = layout
    const conditions = queryConditions(declared, query.where)
    if (conditions === null) return { steps: [], order: [], values }
    const asked = askedFilters(conditions, take)
    const order = queryOrder(declared, query.order, conditions)
    const { after = null } = query
    const position = after === null ? null : parametersIn(after, order.length).map(take)
    const kind = JSON.stringify([layout.name, asked, order, position])
    let plan = kept.get(kind)
    if (plan === undefined) {
      plan = planOf(layout, sqlConditions(layout, asked), order, position)
      const [oldest] = kept.keys()
      if (kept.size >= keptPlans && oldest !== undefined) kept.delete(oldest)
      kept.set(kind, plan)
    }
    return { ...plan, values }
  }
}
