/**
 * The access path of a page: the index that has the rows in the page's order and satisfies most of its filters. The
 * statement names the index, because SQLite's planner does not consider how few rows a page needs: it sorts a whole
 * collection where it could read the first twenty rows of an index.
 */
import type { Order } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { primaryKey, type TextsTable } from './derived-table.js'
import type { Slot } from './filter-shape.js'
import { quoted } from './key-column.js'
import type { LayoutIndex } from './layout-index.js'
import {
  type Condition,
  instanceSlot,
  keyColumnOf,
  type RowNames,
  slotsOf,
  textsTableOf,
} from './sql-conditions.js'

export type IndexWalk = {
  readonly from: string
  readonly row: RowNames
  /** The instance and the conditions that the index satisfies: no other row is read. */
  readonly where: readonly string[]
  readonly slots: readonly Slot[]
  readonly satisfied: readonly Condition[]
  /** The conditions that are tested row by row. */
  readonly tests: readonly Condition[]
  /** The last terms of ORDER BY: the order of insertion. */
  readonly insertion: readonly string[]
  /** Conditions of the rows after a sequence number, which is the parameter of each. */
  readonly after: readonly string[]
}

/** How a walk uses an index. */
type Use = {
  readonly index: LayoutIndex
  readonly satisfied: readonly Condition[]
  /** How many of the order's keys the index has in their order. */
  readonly ordered: number
}

/** The conditions that require one value of the first keys of an index, one condition per key. */
const leadingEquals = (
  indexed: readonly string[],
  conditions: readonly Condition[],
): readonly Condition[] => {
  const found: Condition[] = []
  for (const key of indexed) {
    const equal = conditions.find((each) => each.kind === 'equal' && each.key === key)
    if (equal === undefined) break
    found.push(equal)
  }
  return found
}

/** How an index serves an order: keys with one value first, then keys of the order. Null if it does not. */
const useOf = (index: LayoutIndex, conditions: readonly Condition[], order: readonly Order[]): Use | null => {
  if (index.keys === null) return null
  const equal = leadingEquals(index.keys, conditions)
  const rest = index.keys.slice(equal.length)
  const isServed = rest.every((key, i) => key === order[i]?.key && order[i].direction === order[0]?.direction)
  if (!isServed || (order.length > 0 && rest.length === 0)) return null
  const [first] = rest
  const ranges = conditions.filter(({ kind, key }) => kind === 'range' && key === first)
  return { index, satisfied: [...equal, ...ranges], ordered: rest.length }
}

/**
 * The use with most keys of the order, and then with most satisfied conditions. Of equal ones, the one that satisfies
 * the earlier filter: the filters of a client select fewer documents than the filter of its role, which is the last.
 */
const bestUse = (
  indexes: readonly LayoutIndex[],
  conditions: readonly Condition[],
  order: readonly Order[],
): Use | null => {
  const firstSatisfied = ({ satisfied }: Use): number =>
    conditions.findIndex((condition) => satisfied.includes(condition))
  const [best] = indexes
    .flatMap((index) => useOf(index, conditions, order) ?? [])
    .toSorted(
      (a, b) =>
        b.ordered - a.ordered ||
        b.satisfied.length - a.satisfied.length ||
        firstSatisfied(a) - firstSatisfied(b),
    )
  return best ?? null
}

const without = (conditions: readonly Condition[], satisfied: readonly Condition[]): readonly Condition[] =>
  conditions.filter((condition) => !satisfied.includes(condition))

export const documentRow = (layout: CollectionLayout): RowNames => {
  const table = quoted(layout.table)
  return {
    instance: `${table}.instance`,
    sequence: `${table}.sequence`,
    column: (key) => `${table}.${keyColumnOf(layout, key).column}`,
  }
}

/** The terms of the order of insertion, and the condition of the rows after one. */
const insertionOf = ({ sequence }: RowNames, newestFirst: boolean): Pick<IndexWalk, 'insertion' | 'after'> =>
  newestFirst
    ? { insertion: [`${sequence} DESC`], after: [`${sequence} < ?`] }
    : { insertion: [sequence], after: [`${sequence} > ?`] }

const documentsWalk = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  { index, satisfied }: Use,
  newestFirst: boolean,
): IndexWalk => {
  const row = documentRow(layout)
  return {
    from: `${quoted(layout.table)} INDEXED BY ${quoted(index.name)}`,
    row,
    where: [`${row.instance} = ?`, ...satisfied.map(({ sql }) => sql(row))],
    slots: [instanceSlot, ...slotsOf(satisfied)],
    satisfied,
    tests: without(conditions, satisfied),
    ...insertionOf(row, newestFirst),
  }
}

/** The documents that have a text, in the order of an index of the texts table. Each is read by its sequence number. */
const textsWalk = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  { name, copied }: TextsTable,
  has: Condition,
  { index, satisfied }: Use,
  newestFirst: boolean,
): IndexWalk => {
  const [table, documents] = [quoted(name), documentRow(layout)]
  const row: RowNames = {
    instance: `${table}.instance`,
    sequence: `${table}.sequence`,
    // A key that the index does not have is read from the document, which is read anyway.
    column: (key) => {
      const isIndexed = index.keys?.includes(key) ?? false
      const copy = isIndexed ? copied.get(key)?.column : undefined
      return copy === undefined ? documents.column(key) : `${table}.${copy}`
    },
  }
  return {
    // CROSS makes SQLite read the texts first.
    from: `${table} INDEXED BY ${quoted(index.name)} CROSS JOIN ${quoted(layout.table)} ON ${documents.sequence} = ${row.sequence}`,
    row,
    where: [`${row.instance} = ?`, `${table}.text = ?`, ...satisfied.map(({ sql }) => sql(row))],
    slots: [instanceSlot, ...has.slots, ...slotsOf(satisfied)],
    satisfied: [has, ...satisfied],
    tests: without(conditions, [has, ...satisfied]),
    ...insertionOf(row, newestFirst),
  }
}

const textsWalks = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  order: readonly Order[],
  newestFirst: boolean,
): readonly IndexWalk[] =>
  conditions.flatMap((has) => {
    if (has.kind !== 'has' || has.key === null) return []
    const texts = textsTableOf(layout, has.key)
    const byInsertion: LayoutIndex = { name: primaryKey(texts.name), sql: '', keys: [] }
    const use = bestUse([byInsertion, ...texts.indexes], conditions, order)
    return use?.ordered === order.length ? [textsWalk(layout, conditions, texts, has, use, newestFirst)] : []
  })

/** The documents with words, in the order of insertion. */
const wordsWalk = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  newestFirst: boolean,
): IndexWalk | null => {
  const words = conditions.find((each) => each.words === true)
  if (words === undefined || layout.search === null) return null
  const { tokens } = layout.search
  const documents = documentRow(layout)
  const row = { ...documents, sequence: `${tokens}.rowid` }
  return {
    // CROSS makes SQLite read the tokens first.
    from: `${tokens} CROSS JOIN ${quoted(layout.table)} ON ${documents.sequence} = ${row.sequence}`,
    row,
    where: [`${row.instance} = ?`, `${tokens} MATCH ?`],
    slots: [instanceSlot, ...words.slots],
    satisfied: [words],
    tests: without(conditions, [words]),
    ...insertionOf(row, newestFirst),
  }
}

/**
 * The walk in this order with the fewest tests: along the texts of a list if their table has the whole order, or else
 * along the documents, by at least the first key of the order. Null if no index has the order.
 */
export const indexWalk = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  order: readonly Order[],
  newestFirst: boolean,
): IndexWalk | null => {
  const alongWords = order.length === 0 ? wordsWalk(layout, conditions, newestFirst) : null
  if (alongWords !== null) return alongWords
  const [alongTexts] = textsWalks(layout, conditions, order, newestFirst).toSorted(
    (a, b) => b.satisfied.length - a.satisfied.length,
  )
  if (alongTexts !== undefined) return alongTexts
  const use = bestUse(layout.indexes, conditions, order)
  return use === null ? null : documentsWalk(layout, conditions, use, newestFirst)
}
