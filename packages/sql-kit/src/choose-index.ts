import type { Order } from '@publishing-service/domain/filters'
import { type Condition, fixedKeys } from '@publishing-service/ports'
import { textsOfOneList } from './condition-sql.js'
import type { CollectionLayout, Index, KeyColumn, ListTable } from './layout.js'

/** A declared index that has the order of a query. */
export type ChosenIndex = {
  /** Null for the primary key of a list. */
  readonly index: Index | null
  /** The list whose table is read first: each text by itself, in the order. Its rows meet the condition. */
  readonly list: {
    readonly table: ListTable
    readonly texts: readonly string[]
    readonly condition: Condition
  } | null
}

/** So many texts of a list are read, each for a whole page. Of more, the documents are sorted if they are few. */
const mostTexts = 16

/** The number of first columns with one value if the others are the order, else null. */
const fixedBefore = (
  columns: readonly KeyColumn[],
  fixed: ReadonlySet<string>,
  order: readonly Order[],
): number | null => {
  const count = columns.length - order.length
  if (count < 0) return null
  for (const [i, { key }] of columns.entries())
    if (i < count ? !fixed.has(key) : key !== order[i - count]?.key) return null
  return count
}

const longest = (
  indexes: readonly Index[],
  fixed: ReadonlySet<string>,
  order: readonly Order[],
): Index | null => {
  let chosen: { readonly index: Index; readonly count: number } | null = null
  for (const index of indexes) {
    const count = fixedBefore(index.columns, fixed, order)
    if (count !== null && count >= (chosen?.count ?? 0)) chosen = { index, count }
  }
  return chosen?.index ?? null
}

/**
 * The index that a query reads: one that begins with texts of a list of which the documents must contain one, then with the
 * most keys that have one value, and ends in the order. Null if none has the order.
 */
export const chooseIndex = (
  { indexes, lists }: Pick<CollectionLayout, 'indexes' | 'lists'>,
  conditions: readonly Condition[],
  order: readonly Order[],
  ties: Order['direction'],
): ChosenIndex | null => {
  for (const { direction } of order) if (direction !== ties) return null
  const fixed = fixedKeys(conditions)
  let chosen: ChosenIndex | null = null
  let fewest = mostTexts + 1
  for (const condition of conditions) {
    const required = textsOfOneList(condition)
    const table = required === null ? undefined : lists.get(required.key)
    if (required === null || table === undefined || required.texts.length >= fewest) continue
    const index = longest(table.indexes, fixed, order)
    if (index === null && order.length > 0) continue
    const { texts } = required
    chosen = { index, list: { table, texts, condition } }
    fewest = texts.length
  }
  if (chosen !== null) return chosen
  const index = longest(indexes, fixed, order)
  return index === null ? null : { index, list: null }
}

/** Whether the chosen index reads only documents that meet the condition. */
export const isCovered = (chosen: ChosenIndex | null, condition: Condition): boolean => {
  if (condition.is === 'has' || condition.is === 'any of') return condition === chosen?.list?.condition
  if (condition.is === 'has in' || condition.is === 'has none') return false
  // A range of the first key after those with one value is read from its start to its end.
  for (const { key } of chosen?.index?.columns ?? []) if (key === condition.key) return true
  return false
}

/**
 * The index that has all these keys, so that reading it reads no document: of several, the one whose first keys the
 * conditions limit, then the shortest. Null if there is none.
 */
export const coveringIndex = (
  { indexes }: Pick<CollectionLayout, 'indexes'>,
  conditions: readonly Condition[],
  keys: ReadonlySet<string>,
): Index | null => {
  const limited = new Set(conditions.flatMap((each) => (each.is === 'any of' ? [] : [each.key])))
  const rankOf = ({ columns }: Index): number => {
    const unlimited = columns.findIndex(({ key }) => !limited.has(key))
    return (unlimited === -1 ? columns.length : unlimited) * 100 - columns.length
  }
  const covering = indexes.filter(({ columns }) => {
    const names = new Set(columns.map(({ key }) => key))
    return [...keys].every((key) => names.has(key))
  })
  return covering.toSorted((a, b) => rankOf(b) - rankOf(a))[0] ?? null
}
