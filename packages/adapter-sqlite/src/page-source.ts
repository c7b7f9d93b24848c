/**
 * Where a read of a page can take its rows from: a walk through an index in the order of the page, or the few rows
 * that an index finds for a filter, which are sorted then. Indexes are named: SQLite chooses without regard to how
 * few rows a page needs, and sorts a whole collection where it could walk along twenty of its rows.
 */
import type { Order } from '@publishing-service/ports'
import { keyColumnOf, type Slot, textsTableOf } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { primaryKey, type TextsTable } from './derived-table.js'
import { quoted } from './key-column.js'
import type { LayoutIndex } from './layout-index.js'
import type { Alternatives, Condition, RowNames } from './sql-conditions.js'

export type PageSource = {
  readonly from: string
  readonly row: RowNames
  /** The instance and what the index settles: no row that doesn't meet it is read. */
  readonly where: readonly string[]
  readonly slots: readonly Slot[]
  readonly settled: readonly Condition[]
  /** What is left to test, row by row. */
  readonly tests: readonly Condition[]
  /** Whether the rows come in the page's order, or at least by its first key. */
  readonly inOrder: boolean
  /** The order's last terms: that of creation. */
  readonly created: readonly string[]
  /** What holds of the rows behind a sequence, to each of which it is compared. */
  readonly behind: readonly string[]
}

/** Where the instance stands among a plan's values. */
export const instanceSlot: Slot = 0

export const slotsOf = (all: readonly { readonly slots: readonly Slot[] }[]): readonly Slot[] =>
  all.flatMap(({ slots }) => slots)

/** An index, and how a walk or a look-up uses it. */
type Use = {
  readonly index: LayoutIndex
  readonly settled: readonly Condition[]
  /** How many of the order's keys the index brings in their order. */
  readonly ordered: number
}

const equalOf = (conditions: readonly Condition[], key: string): Condition | undefined =>
  conditions.find((each) => each.kind === 'equal' && each.key === key)

/** The conditions that the first keys of an index hold equal, one a key. */
const leading = (indexed: readonly Order[], conditions: readonly Condition[]): readonly Condition[] => {
  const found: Condition[] = []
  for (const { key } of indexed) {
    const equal = equalOf(conditions, key)
    if (equal === undefined) break
    found.push(equal)
  }
  return found
}

const rangesOf = (conditions: readonly Condition[], key: string | undefined): readonly Condition[] =>
  conditions.filter((each) => each.kind === 'range' && each.key === key)

/** How an index serves an order: equal keys first, then as many of the order's keys as it goes on with; else null. */
const walkBy = (
  index: LayoutIndex,
  conditions: readonly Condition[],
  order: readonly Order[],
): Use | null => {
  if (index.order === null) return null
  const equal = leading(index.order, conditions)
  const rest = index.order.slice(equal.length)
  const isServed = rest.every(
    ({ key, direction }, i) => key === order[i]?.key && direction === order[i]?.direction,
  )
  if (!isServed || (order.length > 0 && rest.length === 0)) return null
  return { index, settled: [...equal, ...rangesOf(conditions, rest[0]?.key)], ordered: rest.length }
}

const better = (a: Use, b: Use): number => b.ordered - a.ordered || b.settled.length - a.settled.length

const bestWalk = (
  indexes: readonly LayoutIndex[],
  conditions: readonly Condition[],
  order: readonly Order[],
): Use | null =>
  indexes.flatMap((index) => walkBy(index, conditions, order) ?? []).toSorted(better)[0] ?? null

const without = (conditions: readonly Condition[], settled: readonly Condition[]): readonly Condition[] =>
  conditions.filter((condition) => !settled.includes(condition))

const documentRow = (layout: CollectionLayout): RowNames => {
  const table = quoted(layout.table)
  return {
    instance: `${table}.instance`,
    sequence: `${table}.sequence`,
    column: (key) => `${table}.${keyColumnOf(layout, key).column}`,
  }
}

const bySequence = ({ sequence }: RowNames): Pick<PageSource, 'created' | 'behind'> => ({
  created: [sequence],
  behind: [`${sequence} > ?`],
})

const fromDocuments = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  use: Pick<Use, 'index' | 'settled'> | null,
  inOrder: boolean,
): PageSource => {
  const row = documentRow(layout)
  const settled = use?.settled ?? []
  return {
    from: `${quoted(layout.table)}${use === null ? '' : ` INDEXED BY ${quoted(use.index.name)}`}`,
    row,
    where: [`${row.instance} = ?`, ...settled.map(({ sql }) => sql(row))],
    slots: [instanceSlot, ...slotsOf(settled)],
    settled,
    tests: without(conditions, settled),
    inOrder,
    ...bySequence(row),
  }
}

/** The documents that have a text, in the order of an index of the texts' own table, each looked up in its turn. */
const fromTexts = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  { name, copied }: TextsTable,
  has: Condition,
  { index, settled }: Pick<Use, 'index' | 'settled'>,
  inOrder: boolean,
): PageSource => {
  const [table, documents] = [quoted(name), documentRow(layout)]
  const row: RowNames = {
    instance: `${table}.instance`,
    sequence: `${table}.sequence`,
    // What isn't in the index is nearer in the document, which is looked up anyway.
    column: (key) => {
      const isIndexed = index.order?.some((each) => each.key === key) ?? false
      const copy = isIndexed ? copied.get(key)?.column : undefined
      return copy === undefined ? documents.column(key) : `${table}.${copy}`
    },
  }
  return {
    // CROSS: the texts go first.
    from: `${table} INDEXED BY ${quoted(index.name)} CROSS JOIN ${quoted(layout.table)} ON ${documents.sequence} = ${row.sequence}`,
    row,
    where: [`${row.instance} = ?`, `${table}.text = ?`, ...settled.map(({ sql }) => sql(row))],
    slots: [instanceSlot, ...has.slots, ...slotsOf(settled)],
    settled: [has, ...settled],
    tests: without(conditions, [has, ...settled]),
    inOrder,
    ...bySequence(row),
  }
}

type Listed = { readonly has: Condition; readonly texts: TextsTable; readonly byInsertion: LayoutIndex }

const listedOf = (layout: CollectionLayout, conditions: readonly Condition[]): readonly Listed[] =>
  conditions.flatMap((has) => {
    if (has.kind !== 'has' || has.key === null) return []
    const texts = textsTableOf(layout, has.key)
    return [{ has, texts, byInsertion: { name: primaryKey(texts.name), sql: '', order: [] } }]
  })

/**
 * The walk in the page's order that leaves least to test: along a list's texts where they have it whole, else along
 * the documents. It may read far where the tests fail for most of its rows.
 */
export const walkOf = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  order: readonly Order[],
): PageSource => {
  const [along] = listedOf(layout, conditions)
    .flatMap(({ has, texts, byInsertion }) => {
      const use = bestWalk([byInsertion, ...texts.indexes], conditions, order)
      return use?.ordered === order.length ? [fromTexts(layout, conditions, texts, has, use, true)] : []
    })
    .toSorted((a, b) => b.settled.length - a.settled.length)
  if (along !== undefined) return along
  const use = bestWalk(layout.indexes, conditions, order)
  return fromDocuments(layout, conditions, use, use !== null)
}

/** How an index finds rows for conditions, whatever their order: equal keys first, then one range or some. */
const findBy = (index: LayoutIndex, conditions: readonly Condition[]): readonly Condition[] => {
  const equal = leading(index.order ?? [], conditions)
  const next = index.order?.[equal.length]?.key
  const ranges = rangesOf(conditions, next)
  const some = conditions.filter(({ kind, key }) => kind === 'one of' && key === next)
  return [...equal, ...(ranges.length > 0 ? ranges : some)]
}

/** Indexes that find rows by more than what is settled without them; each set of conditions once. */
export const findsOf = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  settledBefore: readonly Condition[],
): readonly PageSource[] => {
  const finds = new Map<string, Pick<Use, 'index' | 'settled'>>()
  for (const index of layout.indexes) {
    const settled = findBy(index, conditions)
    if (settled.every((condition) => settledBefore.includes(condition))) continue
    const name = settled.map((condition) => conditions.indexOf(condition)).join(' ')
    if (!finds.has(name)) finds.set(name, { index, settled })
  }
  const fewest = [...finds.values()].toSorted((a, b) => b.settled.length - a.settled.length)
  return [
    ...listedOf(layout, conditions)
      .filter(({ has }) => !settledBefore.includes(has))
      .map(({ has, texts, byInsertion }) =>
        fromTexts(layout, conditions, texts, has, { index: byInsertion, settled: [] }, false),
      ),
    ...fewest.map((use) => fromDocuments(layout, conditions, use, false)),
  ]
}

/** An index for each group of alternatives that finds rows by something of it; null where a group has none. */
export const findsOfGroups = (
  layout: CollectionLayout,
  conditions: readonly Condition[],
  { groups }: Alternatives,
): readonly PageSource[] | null => {
  const finds = groups.map((group) =>
    findsOf(layout, [...conditions, ...group], conditions).find(({ settled }) =>
      settled.some((condition) => group.includes(condition)),
    ),
  )
  return finds.every((find) => find !== undefined) ? finds : null
}
