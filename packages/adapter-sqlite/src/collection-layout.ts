/**
 * How a declared collection lies in SQLite: its table, one column a key, and its indexes. The columns are written
 * with the document: SQLite rewrites every index over a generated column, whether or not its value has changed.
 * All of it is text that is compared with the file's own schema, so the same declaration always gives the same.
 */
import type { Collection, Order } from '@publishing-service/ports'

export type KeyType = Collection['keys'][string]

export type KeyColumn = {
  readonly key: string
  readonly type: KeyType
  /** The column's name, quoted. */
  readonly column: string
  /** As it stands in CREATE TABLE and ALTER TABLE. */
  readonly definition: string
  /** Gives the column's value for a document that was written before the key was declared. */
  readonly expression: string
}

export type LayoutIndex = {
  readonly name: string
  readonly sql: string
  /** The keys between the instance and the sequence; null for an index that serves no order. */
  readonly order: readonly Order[] | null
}

export type CollectionLayout = {
  readonly name: string
  /** The table's name; needs no quotes inside quotes. */
  readonly table: string
  readonly heavy: ReadonlySet<string>
  readonly keys: ReadonlyMap<string, KeyColumn>
  readonly indexes: readonly LayoutIndex[]
}

/** SQLite takes names that differ in case for one, so capitals and all but letters, digits and _ are spelt out. */
const plainName = (name: string): string =>
  name.replace(/[^a-z0-9_]/g, (character) => `$${character.codePointAt(0)?.toString(16)}$`)

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const jsonPath = (key: string): string => {
  // JSON writes these in another way than the path does.
  if (JSON.stringify(key) !== `"${key}"`) throw new Error(`A key can't be named ${JSON.stringify(key)}`)
  return `'$."${key.replaceAll("'", "''")}"'`
}

/**
 * What an absent value, null and the empty text are in a key's column. It comes before every other value of the
 * type, and, unlike NULL, a comparison finds it: so one comparison with a cursor serves filter, order and page.
 */
export const absentValue = { text: '', number: Number.NEGATIVE_INFINITY, boolean: -1 } as const

const definitions: Readonly<Record<KeyType, string>> = {
  text: "TEXT NOT NULL DEFAULT ''",
  // A REAL column makes integers REAL: JSON writes 2^60 as 1152921504606847000, which as an integer is another number.
  number: 'REAL NOT NULL DEFAULT -9e999',
  boolean: 'INTEGER NOT NULL DEFAULT -1',
}

const expressions: Readonly<Record<KeyType, (source: string, path: string) => string>> = {
  text: (source, path) =>
    `CASE json_type(${source}, ${path}) WHEN 'text' THEN ${source} ->> ${path} ELSE '' END`,
  number: (source, path) =>
    `CASE WHEN json_type(${source}, ${path}) IN ('integer', 'real') THEN ${source} ->> ${path} ELSE -9e999 END`,
  boolean: (source, path) =>
    `CASE json_type(${source}, ${path}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE -1 END`,
}

const keyColumn = (key: string, type: KeyType, source: 'light' | 'heavy'): KeyColumn => {
  const column = quoted(`key_${plainName(key)}`)
  const expression = expressions[type](source, jsonPath(key))
  return { key, type, column, definition: `${column} ${definitions[type]}`, expression }
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

export const createTable = ({ table, keys }: CollectionLayout): string => {
  const keyColumns = [...keys.values()].map(({ definition }) => definition)
  return `CREATE TABLE ${quoted(table)} (${[...fixedColumns, ...keyColumns, ...textColumns].join(', ')})`
}

const uniqueIndex = (table: string, column: string, condition = ''): LayoutIndex => {
  const name = `${table}_one_${column}`
  const sql = `CREATE UNIQUE INDEX ${quoted(name)} ON ${quoted(table)} (instance, ${column})${condition}`
  return { name, sql, order: null }
}

/** The unique index that finds a document by its id. */
export const idIndex = (table: string): string => `${table}_one_id`

/**
 * The sequence ascends behind a descending key too, since ties come in the order of their insertion whatever the
 * direction: an ascending index read backwards would give them reversed, and sorting them would read them all.
 */
const orderIndex = (
  table: string,
  order: readonly Order[],
  keys: ReadonlyMap<string, KeyColumn>,
): LayoutIndex => {
  const terms = order.map(({ key, direction }) => {
    const column = keys.get(key)?.column
    if (column === undefined) throw new Error(`${table} has an index over ${key}, which is no key`)
    return direction === 'asc' ? column : `${column} DESC`
  })
  const words = order.map(({ key, direction }) => `${plainName(key)}_${direction}`)
  const name = [table, 'by', ...words].join('_')
  const columns = ['instance', ...terms, 'sequence'].join(', ')
  return { name, sql: `CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${columns})`, order }
}

const ascending = (keys: readonly string[]): Order[] => keys.map((key) => ({ key, direction: 'asc' }))

/** An index in each direction of its last key; the keys before it are mostly held equal. */
const bothDirections = (keys: readonly string[]): readonly (readonly Order[])[] => [
  ascending(keys),
  [...ascending(keys.slice(0, -1)), ...keys.slice(-1).map((key) => ({ key, direction: 'desc' as const }))],
]

export const collectionLayout = (collection: Collection): CollectionLayout => {
  const table = `documents_${plainName(collection.name)}`
  const heavy = new Set(collection.heavy)
  const keys = new Map(
    Object.entries(collection.keys).map(([key, type]) => [
      key,
      keyColumn(key, type, heavy.has(key) ? 'heavy' : 'light'),
    ]),
  )
  const unordered = collection.unordered ?? []
  const orders = [
    ...[...keys.keys()].filter((key) => !unordered.includes(key)).map((key) => [key]),
    ...collection.indexes.filter(({ length }) => length > 0),
  ]
  const sought = [[], ...unordered.map((key) => ascending([key])), ...orders.flatMap(bothDirections)]
  const ordered = sought.map((order) => orderIndex(table, order, keys))
  const indexes = [
    uniqueIndex(table, 'id'),
    // NULLs never clash, so what has no unique text takes no room in this index.
    uniqueIndex(table, 'uniqueness', ' WHERE uniqueness IS NOT NULL'),
    ...new Map(ordered.map((index) => [index.name, index])).values(),
  ]
  return { name: collection.name, table, heavy, keys, indexes }
}
