/**
 * A page as a few reads, each of which an index can serve from its first row on, however far into the result.
 * Behind a cursor (a, b, sequence) come first the rest of the documents equal in a and b, by sequence; then those
 * equal in a, behind b; then those behind a. One comparison of all three would not do: the sequence ascends
 * whatever the directions, and within many equal documents SQLite would read all before the cursor again.
 */
import type { Cursor, Order, Query } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue, quoted } from './key-column.js'
import { pageSource } from './page-source.js'
import { compared, type Condition, type Parameter, queryConditions } from './query-conditions.js'

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
  const order = effectiveOrder(query.order, filters)
  const documents = quoted(layout.table)
  const named = ['id', 'version', 'sequence'].map((name) => `${documents}.${name}`)
  const texts = query.detail === 'full' ? [`${documents}.light`, `${documents}.heavy`] : ['NULL', 'NULL']

  const step = (
    conditions: readonly Condition[],
    remaining: readonly Order[],
    behind: number | null,
  ): Step => {
    const source = pageSource(layout, instance, conditions, remaining)
    const { row } = source
    const where = [
      ...source.where,
      ...source.conditions.map(({ sql }) => sql(row)),
      ...(behind === null ? [] : [`${row.sequence} > ?`]),
    ]
    const terms = remaining.map(({ key, direction }) => `${row.column(key)} ${direction.toUpperCase()}`)
    const selected = [...named, ...texts, ...order.map(({ key }) => row.column(key))].join(', ')
    const rows = `FROM ${source.from} WHERE ${where.join(' AND ')}`
    return {
      select: `SELECT ${selected} ${rows} ORDER BY ${[...terms, row.sequence].join(', ')} LIMIT ? OFFSET ?`,
      count: `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`,
      parameters: [
        ...source.parameters,
        ...source.conditions.flatMap(({ parameters }) => parameters),
        ...(behind === null ? [] : [behind]),
      ],
    }
  }

  const after = query.after ?? null
  if (after === null) return { steps: [step(filters, order, null)], order }

  const position = positionOf(after, order.length)
  const at = (i: number, operator: '=' | '<' | '>'): Condition =>
    compared(order[i]?.key ?? '', operator, position[i] ?? 0)
  const equalIn = (count: number): readonly Condition[] => order.slice(0, count).map((_, i) => at(i, '='))
  const steps = order.map(({ direction }, i) =>
    step([...filters, ...equalIn(i), at(i, direction === 'asc' ? '>' : '<')], order.slice(i), null),
  )
  const rest = step([...filters, ...equalIn(order.length)], [], Number(position.at(-1)))
  return { steps: [rest, ...steps.toReversed()], order }
}
