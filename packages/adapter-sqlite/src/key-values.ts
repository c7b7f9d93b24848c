/** The values of a document in the key columns of its collection. */
import type { JsonObject } from '@publishing-service/domain/json'
import { keyValue, textsUnder } from '@publishing-service/ports'
import { columnsOf, type CollectionLayout } from './collection-layout.js'
import { columnValue, type Parameter } from './key-column.js'

/** In the order of the layout's columns. */
export const keyValues = ({ keys, lists }: CollectionLayout, value: JsonObject): readonly Parameter[] => [
  ...Array.from(keys.values(), ({ key, type }) => columnValue(type, keyValue(type, value, key))),
  ...Array.from(lists.values(), ({ key }) => JSON.stringify(textsUnder(value, key))),
]

/** The names of each table's columns, quoted, in the same order. */
export const keyColumnNames = (
  layouts: Iterable<CollectionLayout>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Array.from(layouts, (layout) => [layout.table, columnsOf(layout).map(({ column }) => column)]),
  )
