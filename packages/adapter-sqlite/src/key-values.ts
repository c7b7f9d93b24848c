/** A document's values under the keys of its collection, as their columns hold them. */
import type { Json, JsonObject } from '@publishing-service/domain'
import { columnsOf, type CollectionLayout } from './collection-layout.js'
import { absentValue, emptyList } from './key-column.js'
import { columnValue, type Parameter } from './query-conditions.js'

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

/** The names of the columns, quoted, in the same order. */
export const keyColumnNames = (layout: CollectionLayout): readonly string[] =>
  columnsOf(layout).map(({ column }) => column)
