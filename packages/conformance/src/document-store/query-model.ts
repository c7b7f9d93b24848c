/**
 * What a query has to answer, in the plainest form: filter a list, sort it. Stores are compared with it.
 * It shares no code with any adapter.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Collection, Filter, Query, TextCount } from '@publishing-service/ports'

/** A document as the model knows it; lists of them are in the order of their insertion. */
export type StoredValue = { readonly id: string; readonly value: JsonObject }

type KeyValue = string | number | boolean | null

/** No plain value is equal to one under a key of texts. */
const typeNames = { text: 'string', number: 'number', boolean: 'boolean', texts: 'list' } as const

const codePoints = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0)

const compare = (a: KeyValue, b: KeyValue): number => {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  const [left, right] = [codePoints(a), codePoints(b)]
  const differing = left.findIndex((point, i) => point !== right[i])
  if (differing === -1) return -1
  return (left[differing] ?? 0) - (right[differing] ?? -1)
}

const textsOf = (value: JsonObject, key: string): ReadonlySet<string> => {
  const list = value[key]
  const entries: readonly unknown[] = Array.isArray(list) ? list : []
  return new Set(entries.filter((entry) => typeof entry === 'string').filter((text) => text !== ''))
}

/** A value of another type than the key's is none. */
const valueUnder = (collection: Collection, key: string, value: JsonObject): KeyValue => {
  const found = value[key] ?? null
  const type: string = typeNames[collection.keys[key] ?? 'text']
  if (typeof found !== type || found === '' || typeof found === 'object') return null
  return found
}

const holds = (collection: Collection, filter: Filter, value: JsonObject): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.some((group) => group.every((each) => holds(collection, each, value)))
  if ('has' in filter) return textsOf(value, filter.key).has(filter.has)
  const found = valueUnder(collection, filter.key, value)
  const equals = (wanted: Json): boolean => (wanted === '' ? null : wanted) === found
  if ('equals' in filter) return equals(filter.equals)
  if ('oneOf' in filter) return filter.oneOf.some(equals)
  const { atLeast, above, below, atMost } = filter
  const bound = (text: string | number): KeyValue => (text === '' ? null : text)
  return (
    (atLeast === undefined || compare(found, bound(atLeast)) >= 0) &&
    (above === undefined || compare(found, bound(above)) > 0) &&
    (below === undefined || compare(found, bound(below)) < 0) &&
    (atMost === undefined || compare(found, bound(atMost)) <= 0)
  )
}

/** All documents that the query gives over its pages, in order; `skip` and `limit` are left to the pages. */
export const expectedResult = (
  collection: Collection,
  documents: readonly StoredValue[],
  query: Pick<Query, 'where' | 'order'>,
): readonly StoredValue[] =>
  documents
    .filter(({ value }) => query.where.every((filter) => holds(collection, filter, value)))
    .toSorted((a, b) => {
      for (const { key, direction } of query.order) {
        const comparison = compare(valueUnder(collection, key, a.value), valueUnder(collection, key, b.value))
        if (comparison !== 0) return direction === 'asc' ? comparison : -comparison
      }
      return 0
    })

/** How many documents with these values have each text, in the order of the texts' UTF-16. */
export const expectedGroupCount = (
  collection: Collection,
  documents: readonly StoredValue[],
  key: string,
  within: JsonObject,
): readonly TextCount[] => {
  const where = Object.entries(within).map(([name, equals]) => ({ key: name, equals }))
  const lists = documents
    .filter(({ value }) => where.every((filter) => holds(collection, filter, value)))
    .map(({ value }) => textsOf(value, key))
  return [...new Set(lists.flatMap((texts) => [...texts]))]
    .toSorted()
    .map((text) => ({ text, count: lists.filter((texts) => texts.has(text)).length }))
}
