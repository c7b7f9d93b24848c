/**
 * The layout of a declared collection in SQLite: its table with one column for each key, its indexes, and a table of
 * its own for each key of texts, each tally, and the block range index. The columns are written with the document, where
 * they change: SQLite rewrites every index over a generated column, whether or not its value has changed, and triggers
 * cost nothing where the value stays.
 * All of it is text that is compared with the file's own schema, so the same declaration always gives the same.
 */
import type { Collection, Order } from '@publishing-service/ports'
import {
  type DerivedTable,
  type TallyTable,
  tallyTable,
  type TextsTable,
  textsTable,
} from './derived-table.js'
import {
  type KeyColumn,
  keyColumn,
  type ListColumn,
  listColumn,
  plainName,
  quoted,
  type Source,
} from './key-column.js'
import { bothDirections, eachOnce, type LayoutIndex, orderTerms, orderWords } from './layout-index.js'
import { type BlockRangeIndex, blockRangeIndex } from './block-range-index.js'

export type CollectionLayout = {
  readonly name: string
  readonly declared: Collection
  /** The table's name; needs no quotes inside quotes. */
  readonly table: string
  readonly heavy: ReadonlySet<string>
  /** The plain keys. */
  readonly keys: ReadonlyMap<string, KeyColumn>
  /** The keys of texts, as the documents' table has them. */
  readonly lists: ReadonlyMap<string, ListColumn>
  readonly indexes: readonly LayoutIndex[]
  /** The keys of texts, each in a table of its own. */
  readonly texts: ReadonlyMap<string, TextsTable>
  readonly tallies: readonly TallyTable[]
  /** Null where no key is declared as ranged. */
  readonly blockRanges: BlockRangeIndex | null
}

/** The columns that every collection's table begins with. */
const fixedColumns = [
  'sequence INTEGER PRIMARY KEY AUTOINCREMENT',
  'instance INTEGER NOT NULL',
  'id TEXT NOT NULL',
  'version INTEGER NOT NULL',
  'uniqueness TEXT',
]

/** Long texts come last, so that a filter over keys reads none of them. */
const textColumns = ['light TEXT NOT NULL', 'heavy TEXT']

/** The columns of all keys, in their order. */
export const columnsOf = ({ keys, lists }: Pick<CollectionLayout, 'keys' | 'lists'>) => [
  ...keys.values(),
  ...lists.values(),
]

export const createTable = (layout: CollectionLayout): string => {
  const keyColumns = columnsOf(layout).map(({ definition }) => definition)
  return `CREATE TABLE ${quoted(layout.table)} (${[...fixedColumns, ...keyColumns, ...textColumns].join(', ')})`
}

/** What follows the documents by triggers. */
export const derivedTables = ({ texts, tallies, blockRanges }: CollectionLayout): readonly DerivedTable[] => [
  ...texts.values(),
  ...tallies,
  ...(blockRanges === null ? [] : [blockRanges]),
]

const uniqueIndex = (table: string, column: string, condition = ''): LayoutIndex => {
  const name = `${table}_one_${column}`
  const sql = `CREATE UNIQUE INDEX ${quoted(name)} ON ${quoted(table)} (instance, ${column})${condition}`
  return { name, sql, order: null }
}

/** The unique index that finds a document by its id. */
export const idIndex = (table: string): string => `${table}_one_id`

const orderIndex = (
  table: string,
  order: readonly Order[],
  keys: ReadonlyMap<string, KeyColumn>,
): LayoutIndex => {
  const name = [table, 'by', ...orderWords(order)].join('_')
  const columns = ['instance', ...orderTerms(table, order, keys), 'sequence'].join(', ')
  return { name, sql: `CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${columns})`, order }
}

export const collectionLayout = (collection: Collection): CollectionLayout => {
  const table = `documents_${plainName(collection.name)}`
  const heavy = new Set(collection.heavy)
  const sourceOf = (key: string): Source => (heavy.has(key) ? 'heavy' : 'light')
  const isTexts = (key: string): boolean =>
    Object.hasOwn(collection.keys, key) && collection.keys[key] === 'texts'
  const keys = new Map(
    Object.entries(collection.keys).flatMap(([key, type]) =>
      type === 'texts' ? [] : [[key, keyColumn(key, type, sourceOf(key))] as const],
    ),
  )
  const plainKeys = (what: string, names: readonly string[]): readonly KeyColumn[] =>
    names.map((key) => {
      const column = keys.get(key)
      if (column === undefined) throw new Error(`${table} has ${what} over ${key}, which is no plain key`)
      return column
    })
  const [listed, plain] = [
    collection.indexes.filter(([first]) => first !== undefined && isTexts(first)),
    collection.indexes.filter(([first]) => first === undefined || !isTexts(first)),
  ]
  const unordered = new Set(collection.unordered)
  const [sought, ordered] = [
    [...keys.keys()].filter((key) => unordered.has(key)),
    [...keys.keys()].filter((key) => !unordered.has(key)),
  ]
  const orders = [
    [],
    ...sought.map((key): readonly Order[] => [{ key, direction: 'asc' }]),
    ...[...ordered.map((key) => [key]), ...plain.filter(({ length }) => length > 0)].flatMap(bothDirections),
  ]
  const lists = new Map(
    Object.keys(collection.keys)
      .filter(isTexts)
      .map((key) => [key, listColumn(key, sourceOf(key))]),
  )
  const texts = new Map(
    Array.from(lists.values(), (list) => {
      const { key } = list
      // The primary key serves the order of insertion.
      const sequences = listed.flatMap(([first, ...rest]) => (first === key && rest.length > 0 ? [rest] : []))
      const columns = plainKeys('an index', [...new Set(sequences.flat())])
      return [key, textsTable(table, list, columns, eachOnce(sequences.flatMap(bothDirections)))]
    }),
  )
  const ranged = plainKeys('a range', collection.ranged ?? [])
  return {
    name: collection.name,
    declared: collection,
    table,
    heavy,
    keys,
    lists,
    indexes: [
      uniqueIndex(table, 'id'),
      // NULLs never clash, so what has no unique text takes no room in this index.
      uniqueIndex(table, 'uniqueness', ' WHERE uniqueness IS NOT NULL'),
      ...eachOnce(orders).map((order) => orderIndex(table, order, keys)),
    ],
    texts,
    tallies: collection.tallies.map((tally) => {
      const { key, within } = tally
      const list = lists.get(key)
      if (list === undefined) throw new Error(`${table} has a tally of ${key}, which is no key of texts`)
      return tallyTable(table, list, tally, plainKeys('a tally', within))
    }),
    blockRanges: ranged.length === 0 ? null : blockRangeIndex(table, ranged),
  }
}

/** The layouts of all collections by their names. */
export const layoutsOf = (collections: readonly Collection[]): ReadonlyMap<string, CollectionLayout> =>
  new Map(collections.map((collection) => [collection.name, collectionLayout(collection)]))
