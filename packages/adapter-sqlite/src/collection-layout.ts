/**
 * The layout of a declared collection in SQLite: its table with one column for each key, its indexes, and a separate
 * table for each key of texts, each group count, and the block range index. A write sets the columns whose values
 * change. Generated columns are not used, because SQLite rewrites every index over them, even where the value is
 * unchanged; triggers cost nothing where it is. The layout is text that is compared with the schema of the file, so the
 * same declaration always results in the same text.
 */
import type { Collection, GroupCount } from '@publishing-service/ports'
import {
  type DerivedTable,
  type GroupCountTable,
  groupCountTable,
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
import { eachOnce, indexedColumns, indexName, type LayoutIndex } from './layout-index.js'
import { type BlockRangeIndex, blockRangeIndex } from './block-range-index.js'
import { type SearchTables, searchTables } from './search-tables.js'

export type CollectionLayout = {
  readonly name: string
  readonly declared: Collection
  /** The table's name; contains no quotes. */
  readonly table: string
  readonly heavy: ReadonlySet<string>
  /** The plain keys. */
  readonly keys: ReadonlyMap<string, KeyColumn>
  /** The keys of texts, as columns of the documents' table. */
  readonly lists: ReadonlyMap<string, ListColumn>
  readonly indexes: readonly LayoutIndex[]
  /** The keys of texts, each with its separate table. */
  readonly texts: ReadonlyMap<string, TextsTable>
  readonly groupCounts: readonly GroupCountTable[]
  /** Null if no key is declared as ranged. */
  readonly blockRanges: BlockRangeIndex | null
  /** Null if no attribute is searched. */
  readonly search: SearchTables | null
}

/** The first columns of every collection's table. */
const fixedColumns = [
  'sequence INTEGER PRIMARY KEY AUTOINCREMENT',
  'instance INTEGER NOT NULL',
  'id TEXT NOT NULL',
  'version INTEGER NOT NULL',
  'uniqueness TEXT',
]

/** Long texts are the last columns, so that a filter over keys does not read them. */
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

/** The tables that triggers keep up to date with the documents. */
export const derivedTables = ({
  texts,
  groupCounts,
  blockRanges,
}: CollectionLayout): readonly DerivedTable[] => [
  ...texts.values(),
  ...groupCounts,
  ...(blockRanges === null ? [] : [blockRanges]),
]

const uniqueIndex = (table: string, column: string, condition = ''): LayoutIndex => {
  const name = `${table}_one_${column}`
  const sql = `CREATE UNIQUE INDEX ${quoted(name)} ON ${quoted(table)} (instance, ${column})${condition}`
  return { name, sql, keys: null }
}

/** The unique index that finds a document by its id. */
export const idIndex = (table: string): string => `${table}_one_id`

const orderIndex = (
  table: string,
  names: readonly string[],
  keys: ReadonlyMap<string, KeyColumn>,
): LayoutIndex => {
  const name = indexName(table, names)
  const columns = ['instance', ...indexedColumns(table, names, keys), 'sequence'].join(', ')
  return { name, sql: `CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${columns})`, keys: names }
}

/** The keys of a collection, with the name of its table. */
type KeyColumns = Pick<CollectionLayout, 'table' | 'keys' | 'lists'>

const isTextsKey = ({ keys }: Collection, key: string | undefined): boolean =>
  key !== undefined && Object.hasOwn(keys, key) && keys[key] === 'texts'

const keyColumns = (collection: Collection, table: string, heavy: ReadonlySet<string>): KeyColumns => {
  const keys = new Map<string, KeyColumn>()
  const lists = new Map<string, ListColumn>()
  for (const [key, type] of Object.entries(collection.keys)) {
    const source: Source = heavy.has(key) ? 'heavy' : 'light'
    if (type === 'texts') lists.set(key, listColumn(key, source))
    else keys.set(key, keyColumn(key, type, source))
  }
  return { table, keys, lists }
}

/** The columns of the plain keys of an index, a range or a group count. Throws if one is not a plain key. */
const plainKeys = (
  { table, keys }: KeyColumns,
  declaration: string,
  names: readonly string[],
): readonly KeyColumn[] =>
  names.map((key) => {
    const column = keys.get(key)
    if (column === undefined)
      throw new Error(`${table} has ${declaration} over ${key}, which is no plain key`)
    return column
  })

/** The indexes of the table of the documents. */
const documentIndexes = (collection: Collection): readonly (readonly string[])[] =>
  eachOnce([
    [],
    ...collection.indexes.filter(([first]) => first !== undefined && !isTextsKey(collection, first)),
  ])

const textsTableFor = (collection: Collection, columns: KeyColumns, list: ListColumn): TextsTable => {
  // An index over the list alone is the order of insertion, which the primary key has.
  const indexes = collection.indexes.flatMap(([first, ...rest]) =>
    first === list.key && rest.length > 0 ? [rest] : [],
  )
  const copied = plainKeys(columns, 'an index', [...new Set(indexes.flat())])
  return textsTable(columns.table, list, copied, eachOnce(indexes))
}

const groupCountTableFor = (columns: KeyColumns, groupCount: GroupCount): GroupCountTable => {
  const { table, lists } = columns
  const list = lists.get(groupCount.key)
  if (list === undefined)
    throw new Error(`${table} has a group count of ${groupCount.key}, which is no key of texts`)
  return groupCountTable(table, list, groupCount, plainKeys(columns, 'a group count', groupCount.within))
}

export const collectionLayout = (collection: Collection): CollectionLayout => {
  const table = `documents_${plainName(collection.name)}`
  const heavy = new Set(collection.heavy)
  const columns = keyColumns(collection, table, heavy)
  const { keys, lists } = columns
  const ranged = plainKeys(columns, 'a range', collection.ranged ?? [])
  return {
    name: collection.name,
    declared: collection,
    table,
    heavy,
    keys,
    lists,
    indexes: [
      uniqueIndex(table, 'id'),
      // NULLs are distinct, so this index has no entry for a document without a uniqueness key.
      uniqueIndex(table, 'uniqueness', ' WHERE uniqueness IS NOT NULL'),
      ...documentIndexes(collection).map((names) => orderIndex(table, names, keys)),
    ],
    texts: new Map(Array.from(lists, ([key, list]) => [key, textsTableFor(collection, columns, list)])),
    groupCounts: collection.groupCounts.map((groupCount) => groupCountTableFor(columns, groupCount)),
    blockRanges: ranged.length === 0 ? null : blockRangeIndex(table, ranged),
    search: searchTables(collection.name, table, collection.searched),
  }
}

/** The layouts of all collections by their names. */
export const layoutsOf = (collections: readonly Collection[]): ReadonlyMap<string, CollectionLayout> =>
  new Map(collections.map((collection) => [collection.name, collectionLayout(collection)]))
