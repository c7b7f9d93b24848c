/** A document's values under the keys of its collection, as their columns hold them. */
import type { JsonObject } from '@publishing-service/domain'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue } from './key-column.js'
import { columnValue, type Parameter } from './query-conditions.js'

/** In the order of the layout's keys. A value that is none of the key's type is absent. */
export const keyValues = ({ keys }: CollectionLayout, value: JsonObject): readonly Parameter[] =>
  Array.from(keys.values(), ({ key, type }) => columnValue(type, value[key] ?? null) ?? absentValue[type])

/** The names of each table's columns, quoted, in the same order. */
export const keyColumnNames = (
  layouts: Iterable<CollectionLayout>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Array.from(layouts, ({ table, keys }) => [table, Array.from(keys.values(), ({ column }) => column)]),
  )
