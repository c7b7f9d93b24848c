/** A document's values under the keys of its collection, as their columns hold them. */
import type { Json, JsonObject } from '@publishing-service/domain'
import { columnValue } from './asked-filters.js'
import { columnsOf, type CollectionLayout } from './collection-layout.js'
import { absentValue, emptyList, type Parameter } from './key-column.js'

/** What is no list has no texts, and what is no text in it isn't one of them. */
const listValue = (value: Json): string => {
  const texts = Array.isArray(value)
    ? value.filter((each: Json): each is string => typeof each === 'string' && each !== '')
    : []
  return texts.length === 0 ? emptyList : JSON.stringify(texts.map((text) => text.toWellFormed()))
}

/** In the order of the layout's columns. A value that is none of the key's type is absent. */
export const keyValues = ({ keys, lists }: CollectionLayout, value: JsonObject): readonly Parameter[] => [
  ...Array.from(keys.values(), ({ key, type }) => columnValue(type, value[key] ?? null) ?? absentValue[type]),
  ...Array.from(lists.values(), ({ key }) => listValue(value[key] ?? null)),
]

/** The names of each table's columns, quoted, in the same order. */
export const keyColumnNames = (
  layouts: Iterable<CollectionLayout>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Array.from(layouts, (layout) => [layout.table, columnsOf(layout).map(({ column }) => column)]),
  )
