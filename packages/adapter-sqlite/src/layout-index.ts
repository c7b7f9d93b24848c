/** Indexes as text: the same for the same declaration, so that they can be compared with those of the file. */
import { type KeyColumn, plainName } from './key-column.js'

export type LayoutIndex = {
  readonly name: string
  readonly sql: string
  /** The keys between the fixed first columns and the sequence number; null for an index that serves no order. */
  readonly keys: readonly string[] | null
}

/** The columns of keys. Every index is ascending: SQLite reads it backwards for a descending order. */
export const indexedColumns = (
  table: string,
  names: readonly string[],
  keys: ReadonlyMap<string, KeyColumn>,
): readonly string[] =>
  names.map((key) => {
    const column = keys.get(key)?.column
    if (column === undefined) throw new Error(`${table} has an index over ${key}, which is no key`)
    return column
  })

/** The name of an index over these keys, as earlier releases named the ascending one. */
export const indexName = (table: string, keys: readonly string[]): string =>
  [table, 'by', ...keys.map((key) => `${plainName(key)}_asc`)].join('_')

/** Each index once, even if several declarations need it. */
export const eachOnce = (indexes: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(indexes.map((keys) => [keys.join(' '), keys])).values(),
]
