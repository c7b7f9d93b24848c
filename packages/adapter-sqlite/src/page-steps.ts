/**
 * A page as a few reads, each of which an index can serve from its first row on, however far into the result.
 * Behind a cursor (a, b, sequence) come first the rest of the documents equal in a and b, by sequence; then those
 * equal in a, behind b; then those behind a. One comparison of all three would not do: the sequence ascends
 * whatever the directions, and within many equal documents SQLite would read all before the cursor again.
 */
import type { Cursor, Order, Query } from '@publishing-service/ports'
import { absentValue, type CollectionLayout, quoted } from './collection-layout.js'
import { type Condition, keyColumnOf, type Parameter, queryConditions } from './query-conditions.js'

export type Step = {
  /**
   * Selects id, version, sequence, the light and the heavy text, and the order's columns; its last parameters are limit
   * and offset. Both texts are null where light documents are asked for: what is kept of those needs no text.
   */
  readonly select: string
  /** Counts the step's documents up to a limit, which is its last parameter. */
  readonly count: string
  readonly parameters: readonly Parameter[]
}

export type PagePlan = {
  readonly steps: readonly Step[]
  /** The keys whose values stand in the cursor, before the sequence. */
  readonly order: readonly Order[]
}

/** Each key once, and none that a filter holds equal. */
const effectiveOrder = (order: readonly Order[], conditions: readonly Condition[]): readonly Order[] => {
  const settled = new Set(conditions.filter(({ holdsEqual }) => holdsEqual).map(({ key }) => key))
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

/**
 * The index that has nothing but what the read needs: first all that is held equal, then the order. Where there is
 * one it is named, for SQLite may guess otherwise; where more filters remain SQLite weighs them by its statistics.
 */
const perfectIndex = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  order: readonly Order[],
): string | null => {
  const equal = new Set(conditions.filter(({ holdsEqual }) => holdsEqual).map(({ key }) => key))
  const ranged = conditions.filter(({ key }) => !equal.has(key))
  if (ranged.some(({ key, sql }) => key !== order[0]?.key || sql.includes(' IN '))) return null
  const perfect = layout.indexes.find(({ order: indexed }) => {
    if (indexed === null || indexed.length !== equal.size + order.length) return false
    const [first, rest] = [indexed.slice(0, equal.size), indexed.slice(equal.size)]
    return (
      first.every(({ key }) => equal.has(key)) &&
      rest.every(({ key, direction }, i) => key === order[i]?.key && direction === order[i]?.direction)
    )
  })
  return perfect?.name ?? null
}

/** The reads that together give the page's documents, in this order; none where no document can be found. */
export const pagePlan = (layout: CollectionLayout, instance: number, query: Query): PagePlan => {
  const filters = queryConditions(layout, query.where)
  if (filters === null) return { steps: [], order: [] }
  const order = effectiveOrder(query.order, filters)
  const columns = order.map(({ key }) => keyColumnOf(layout, key).column)
  const texts = query.detail === 'full' ? ['light', 'heavy'] : ['NULL', 'NULL']
  const selected = ['id', 'version', 'sequence', ...texts, ...columns].join(', ')

  const step = (
    conditions: readonly Condition[],
    remaining: readonly Order[],
    behind: number | null,
  ): Step => {
    const index = perfectIndex(layout, conditions, remaining)
    const from = `FROM ${quoted(layout.table)}${index === null ? '' : ` INDEXED BY ${quoted(index)}`}`
    const where = [
      'instance = ?',
      ...conditions.map(({ sql }) => sql),
      ...(behind === null ? [] : ['sequence > ?']),
    ]
    const terms = remaining.map(
      ({ key, direction }) => `${keyColumnOf(layout, key).column} ${direction.toUpperCase()}`,
    )
    const rows = `${from} WHERE ${where.join(' AND ')}`
    return {
      select: `SELECT ${selected} ${rows} ORDER BY ${[...terms, 'sequence'].join(', ')} LIMIT ? OFFSET ?`,
      count: `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`,
      parameters: [
        instance,
        ...conditions.flatMap(({ parameters }) => parameters),
        ...(behind === null ? [] : [behind]),
      ],
    }
  }

  const after = query.after ?? null
  if (after === null) return { steps: [step(filters, order, null)], order }

  const position = positionOf(after, order.length)
  const at = (i: number, operator: '=' | '<' | '>'): Condition => ({
    key: order[i]?.key ?? '',
    holdsEqual: operator === '=',
    sql: `${columns[i]} ${operator} ?`,
    parameters: [position[i] ?? 0],
  })
  const equalIn = (count: number): readonly Condition[] => order.slice(0, count).map((_, i) => at(i, '='))
  const steps = order.map(({ direction }, i) =>
    step([...filters, ...equalIn(i), at(i, direction === 'asc' ? '>' : '<')], order.slice(i), null),
  )
  const rest = step([...filters, ...equalIn(order.length)], [], Number(position.at(-1)))
  return { steps: [rest, ...steps.toReversed()], order }
}
