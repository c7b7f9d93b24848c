/** Plans the reads of pages, and caches the plan of each shape of query. */
import {
  type Cursor,
  cursorAt,
  isNewestFirst,
  type Order,
  positionIn,
  type Query,
  queryConditions,
  queryOrder,
  type WordsCondition,
} from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import type { CollectionLayout } from './collection-layout.js'
import { filterShapes, type Slot } from './filter-shape.js'
import { absentValue, columnValue, type Parameter } from './key-column.js'
import { planQuery, type QueryPlan } from './query-plan.js'
import { sqlConditions } from './sql-conditions.js'

/** The plan of a query, with its parameters. */
export type PagePlan = {
  readonly plan: QueryPlan
  /** The keys whose values the cursor has, before the sequence number. */
  readonly order: readonly Order[]
  /** The parameters by their slots. */
  readonly values: readonly Parameter[]
}

/** An absent number is −∞ in its column, which JSON can't represent. */
const asJson = (value: Parameter): Parameter | null => (value === Number.NEGATIVE_INFINITY ? null : value)

/** A cursor has the values of the columns. */
export const cursorOf = (values: readonly Parameter[], sequence: number): Cursor =>
  cursorAt({ values: values.map(asJson), sequence })

const cursorParameters = (cursor: Cursor, keys: number): readonly Parameter[] => {
  const { values, sequence } = positionIn(cursor, keys)
  return [
    ...values.map((value) => (value === null ? absentValue.number : columnValue('text', value))),
    sequence,
  ]
}

/** Cached plans. A service has some dozens of shapes of queries, or hundreds with their orders. */
const maxPlans = 500

/** The FTS5 expression of a condition on words, or null if no document meets it. */
type MatchOf = (layout: CollectionLayout, instance: number, words: WordsCondition) => string | null

/** The planner returns null if no document can meet the filters. */
export const pagePlanner = (matchOf: MatchOf) => {
  const plans = new LRUCache<string, QueryPlan>({ max: maxPlans })

  return (layout: CollectionLayout, instance: number, query: Query): PagePlan | null => {
    // At `instanceSlot` and `limitSlot`; the limit is set where the plan is run.
    const values: Parameter[] = [instance, 0]
    const add = (value: Parameter): Slot => values.push(value) - 1
    const { declared } = layout
    const conditions = queryConditions(declared, query.where)
    if (conditions === null) return null
    const { words } = query
    const match = words === undefined ? undefined : matchOf(layout, instance, words)
    if (match === null) return null
    const filters = [
      ...(match === undefined ? [] : [{ words: add(match) }]),
      ...filterShapes(conditions, add),
    ]
    const order = queryOrder(declared, query.order, conditions)
    const newestFirst = isNewestFirst(query)
    const { after = null } = query
    const position = after === null ? null : cursorParameters(after, order.length).map(add)
    const shape = JSON.stringify([layout.name, filters, order, position, newestFirst])
    let plan = plans.get(shape)
    if (plan === undefined) {
      plan = planQuery(layout, sqlConditions(layout, filters), order, position, newestFirst)
      plans.set(shape, plan)
    }
    return { plan, order, values }
  }
}
