/**
 * Where a read of a page takes its rows from: the documents' table, or the table of a list's texts joined with it.
 * Where one index serves filter and order it is named, for SQLite may guess otherwise.
 */
import type { Order } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { primaryKey, type TextsTable } from './derived-table.js'
import { quoted } from './key-column.js'
import type { LayoutIndex } from './layout-index.js'
import {
  type Condition,
  keyColumnOf,
  type Parameter,
  type RowNames,
  textsTableOf,
} from './query-conditions.js'

export type PageSource = {
  readonly from: string
  readonly row: RowNames
  /** Names the instance, and the text where a list's texts are walked; bound first. */
  readonly where: readonly string[]
  readonly parameters: readonly Parameter[]
  /** The conditions that are left to test. */
  readonly conditions: readonly Condition[]
}

const keysHeldEqual = (conditions: readonly Condition[]): ReadonlySet<string | null> =>
  new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ key }) => key))

/** The index that begins with all that is held equal and goes on with the order. */
const servingIndex = (
  indexes: readonly LayoutIndex[],
  equal: ReadonlySet<string | null>,
  order: readonly Order[],
): LayoutIndex | null =>
  indexes.find(({ order: indexed }) => {
    if (indexed === null || indexed.length !== equal.size + order.length) return false
    const [first, rest] = [indexed.slice(0, equal.size), indexed.slice(equal.size)]
    return (
      first.every(({ key }) => equal.has(key)) &&
      rest.every(({ key, direction }, i) => key === order[i]?.key && direction === order[i]?.direction)
    )
  }) ?? null

const documentRow = (layout: CollectionLayout): RowNames => {
  const table = quoted(layout.table)
  return {
    instance: `${table}.instance`,
    sequence: `${table}.sequence`,
    column: (key) => `${table}.${keyColumnOf(layout, key).column}`,
  }
}

/** Where more filters remain than the index has SQLite weighs them by its statistics. */
const fromDocuments = (
  layout: CollectionLayout,
  instance: number,
  conditions: readonly Condition[],
  order: readonly Order[],
): PageSource => {
  const equal = keysHeldEqual(conditions)
  const others = conditions.filter(({ key }) => !equal.has(key))
  const isServed = others.every(({ kind, key }) => kind === 'range' && key === order[0]?.key)
  const index = isServed ? servingIndex(layout.indexes, equal, order) : null
  const row = documentRow(layout)
  return {
    from: `${quoted(layout.table)}${index === null ? '' : ` INDEXED BY ${quoted(index.name)}`}`,
    row,
    where: [`${row.instance} = ?`],
    parameters: [instance],
    conditions,
  }
}

/**
 * Walks the documents that have the text in the order of an index, and looks up each in its turn: a page of many
 * reads little more than the page. Other filters but equality are tested on the way.
 */
const alongTexts = (
  layout: CollectionLayout,
  instance: number,
  conditions: readonly Condition[],
  order: readonly Order[],
): PageSource | null => {
  const served = (has: Condition, { name, indexes, copied }: TextsTable): PageSource | null => {
    const conditionsLeft = conditions.filter((condition) => condition !== has)
    const byInsertion: LayoutIndex = { name: primaryKey(name), sql: '', order: [] }
    const index = servingIndex([byInsertion, ...indexes], keysHeldEqual(conditionsLeft), order)
    if (index === null) return null
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
      where: [`${row.instance} = ?`, `${table}.text = ?`],
      parameters: [instance, ...has.parameters],
      conditions: conditionsLeft,
    }
  }
  for (const condition of conditions) {
    if (condition.kind !== 'has' || condition.key === null) continue
    const source = served(condition, textsTableOf(layout, condition.key))
    if (source !== null) return source
  }
  return null
}

/** SQLite chooses by its statistics whether the texts go first, or the documents by one of their indexes. */
const joinedWithTexts = (
  layout: CollectionLayout,
  instance: number,
  conditions: readonly Condition[],
  has: Condition & { readonly key: string },
): PageSource => {
  const [table, row] = [quoted(textsTableOf(layout, has.key).name), documentRow(layout)]
  return {
    from: `${quoted(layout.table)} JOIN ${table} ON ${table}.sequence = ${row.sequence}`,
    row,
    where: [`${row.instance} = ?`, `${table}.instance = ?`, `${table}.text = ?`],
    parameters: [instance, instance, ...has.parameters],
    conditions: conditions.filter((condition) => condition !== has),
  }
}

const isHas = (condition: Condition): condition is Condition & { readonly key: string } =>
  condition.kind === 'has' && condition.key !== null

export const pageSource = (
  layout: CollectionLayout,
  instance: number,
  conditions: readonly Condition[],
  order: readonly Order[],
): PageSource => {
  const has = conditions.find(isHas)
  if (has === undefined) return fromDocuments(layout, instance, conditions, order)
  return alongTexts(layout, instance, conditions, order) ?? joinedWithTexts(layout, instance, conditions, has)
}
