import type { Order } from '@publishing-service/domain/lists'
import type { Condition } from '@publishing-service/ports'
import type { CollectionLayout, Index, KeyColumn, ListTable } from './layout.js'
import { quoted } from './statement.js'

/** The declared index that has the order of a query. */
export type ChosenIndex = {
  /** The quoted name; null for the primary key of a list. */
  readonly index: string | null
  /** The columns that its table has. */
  readonly columns: ReadonlySet<string>
  /** The table of a list that is read in place of the documents, and the condition that it meets. */
  readonly list: {
    readonly table: ListTable
    readonly condition: Condition
    readonly text: string
  } | null
}

/** The number of first columns with one value if the others are the order, else null. */
const fixedBefore = (
  columns: readonly KeyColumn[],
  fixed: ReadonlySet<string>,
  order: readonly Order[],
): number | null => {
  const count = columns.length - order.length
  if (count < 0) return null
  const [first, rest] = [columns.slice(0, count), columns.slice(count)]
  return first.every(({ key }) => fixed.has(key)) && rest.every(({ key }, i) => key === order[i]?.key)
    ? count
    : null
}

/**
 * The index that a query reads: one that begins with a text of a list that the documents must contain, and then with the
 * most keys that have one value, and ends in the order. Null if none has the order: the database then chooses by its
 * statistics.
 */
export const chooseIndex = (
  { indexes, lists }: CollectionLayout,
  conditions: readonly Condition[],
  order: readonly Order[],
  ties: Order['direction'],
): ChosenIndex | null => {
  if (order.some(({ direction }) => direction !== ties)) return null
  const fixed = new Set(conditions.flatMap((each) => (each.is === 'equal' ? [each.key] : [])))
  // Another index may exclude more documents than the order is worth.
  const bounded = conditions.filter(
    ({ is }) => is === 'above' || is === 'at least' || is === 'below' || is === 'at most',
  )
  const orderKeys = new Set(order.map(({ key }) => key))
  if (bounded.some((each) => !('key' in each) || !orderKeys.has(each.key))) return null

  const best = (candidates: readonly Index[]): { readonly index: Index; readonly count: number } | null => {
    let chosen: { readonly index: Index; readonly count: number } | null = null
    for (const index of candidates) {
      const count = fixedBefore(index.columns, fixed, order)
      if (count !== null && count >= (chosen?.count ?? 0)) chosen = { index, count }
    }
    return chosen
  }

  for (const condition of conditions) {
    if (condition.is !== 'has') continue
    const table = lists.get(condition.key)
    if (table === undefined) continue
    const found = best(table.indexes)
    if (found === null && order.length > 0) continue
    return {
      index: found === null ? null : quoted(found.index.name),
      columns: new Set(table.copied.map(({ column }) => column)),
      list: { table, condition, text: condition.text },
    }
  }
  if (conditions.some(({ is }) => is === 'has')) return null
  const found = best(indexes)
  if (found === null || (found.count < fixed.size && hasOtherIndex(indexes, fixed, found.index))) return null
  return { index: quoted(found.index.name), columns: new Set(), list: null }
}

/** Whether an index over a key with one value, which the chosen one does not use, may exclude more documents. */
const hasOtherIndex = (indexes: readonly Index[], fixed: ReadonlySet<string>, chosen: Index): boolean =>
  indexes.some(({ columns: [first] }) => {
    return first !== undefined && fixed.has(first.key) && !chosen.columns.some(({ key }) => key === first.key)
  })
