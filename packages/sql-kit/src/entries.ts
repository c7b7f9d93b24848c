/** What the tables of a collection have of a document: the values of its keys, its lists, and what its groups count. */
import type { JsonObject } from '@publishing-service/domain/json'
import { keyValue, textsUnder } from '@publishing-service/ports/key-values'
import { keyBytes, sameBytes, textBytes } from './key-bytes.js'
import type { CollectionLayout, KeyColumn } from './layout.js'

/** The values of keys by column, and the texts of lists by key. */
export type Entries = {
  readonly keys: ReadonlyMap<string, Uint8Array>
  readonly lists: ReadonlyMap<string, readonly string[]>
}

/** A document whose text is damaged has the entries of an empty one. */
export const entriesOf = ({ keys, lists }: CollectionLayout, value: JsonObject): Entries => ({
  keys: new Map(
    Array.from(keys.values(), ({ key, type, column }) => [column, keyBytes(keyValue(type, value, key))]),
  ),
  lists: new Map(Array.from(lists.keys(), (key) => [key, textsUnder(value, key)])),
})

const noBytes = new Uint8Array()
const space = ' '

export const valueOfColumn = ({ keys }: Entries, { column }: KeyColumn): Uint8Array =>
  keys.get(column) ?? noBytes

export const valuesOf = (entries: Entries, columns: readonly KeyColumn[]): readonly Uint8Array[] =>
  columns.map((column) => valueOfColumn(entries, column))

/** Whether columns have other values. */
export const differIn = (a: Entries, b: Entries, columns: readonly KeyColumn[]): boolean =>
  columns.some((column) => !sameBytes(valueOfColumn(a, column), valueOfColumn(b, column)))

/** The end of an interval; no bytes for a text without an end, which sort before every end. */
export const endOf = (text: string): Uint8Array => {
  const at = text.indexOf(space)
  return at === -1 ? noBytes : textBytes(text.slice(at + 1))
}

export const without = (texts: readonly string[], others: readonly string[]): readonly string[] => {
  if (others.length === 0) return texts
  const excluded = new Set(others)
  return texts.filter((text) => !excluded.has(text))
}
