/**
 * The expected result of a query, computed by filtering and sorting a list. The results of a store are compared with it.
 * It shares no code with adapters.
 */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { TextRange } from '@publishing-service/domain/filters'
import type { Collection, Filter, Query, Selection, TextCount, TextsQuery } from '@publishing-service/ports'

/** A document of the model. Lists of documents are in the order of insertion. */
export type StoredValue = { readonly id: string; readonly value: JsonObject }

type KeyValue = string | number | boolean | null

/** A plain value never equals the value of a key of texts. */
const typeNames = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  texts: 'list',
  intervals: 'list',
} as const

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

/** A value whose type is not that of the key counts as absent. */
const valueUnder = (collection: Collection, key: string, value: JsonObject): KeyValue => {
  const found = value[key] ?? null
  const type: string = typeNames[collection.keys[key] ?? 'text']
  if (typeof found !== type || found === '' || typeof found === 'object') return null
  return found
}

const isAbove = (text: string | undefined, bound: string): boolean =>
  text !== undefined && text !== '' && (bound === '' || compare(text, bound) > 0)

const isInRange = (text: string, { atLeast, below, endsAbove }: TextRange): boolean =>
  (atLeast === '' || compare(text, atLeast) >= 0) &&
  below !== '' &&
  compare(text, below) < 0 &&
  (endsAbove === undefined || isAbove(/ (.*)$/s.exec(text)?.[1], endsAbove))

const isMet = (collection: Collection, filter: Filter, value: JsonObject): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.some((group) => group.every((each) => isMet(collection, each, value)))
  if ('has' in filter) return textsOf(value, filter.key).has(filter.has)
  if ('hasIn' in filter) return [...textsOf(value, filter.key)].some((text) => isInRange(text, filter.hasIn))
  if ('hasNone' in filter) return !filter.hasNone.some((text) => textsOf(value, filter.key).has(text))
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

/** All documents of a query over all its pages, in order; `skip` and `limit` are ignored. */
export const expectedResult = (
  collection: Collection,
  documents: readonly StoredValue[],
  query: Pick<Query, 'where' | 'order' | 'ids' | 'notIds'>,
): readonly StoredValue[] =>
  (query.order[0]?.direction === 'desc' ? documents.toReversed() : documents)
    .filter(({ id }) => query.ids?.includes(id) !== false && query.notIds?.includes(id) !== true)
    .filter(({ value }) => query.where.every((filter) => isMet(collection, filter, value)))
    .toSorted((a, b) => {
      for (const { key, direction } of query.order) {
        const comparison = compare(valueUnder(collection, key, a.value), valueUnder(collection, key, b.value))
        if (comparison !== 0) return direction === 'asc' ? comparison : -comparison
      }
      return 0
    })

/** The texts of a query, each with the id of its document, over all pages and in order. */
export const expectedTexts = (
  collection: Collection,
  documents: readonly StoredValue[],
  { key, range, where }: Pick<TextsQuery, 'key' | 'range' | 'where'>,
): readonly (readonly [text: string, id: string])[] =>
  documents
    .filter(({ value }) => where.every((filter) => isMet(collection, filter, value)))
    .flatMap(({ id, value }) =>
      [...textsOf(value, key)].filter((text) => isInRange(text, range)).map((text) => [text, id] as const),
    )
    .toSorted(([a], [b]) => compare(a, b))

const countsIn = (lists: readonly ReadonlySet<string>[]): readonly TextCount[] =>
  [...new Set(lists.flatMap((texts) => [...texts]))]
    .toSorted()
    .map((text) => ({ text, count: lists.filter((texts) => texts.has(text)).length }))

/** The number of documents with these values for each text, sorted by the UTF-16 of the texts. */
export const expectedGroupCount = (
  collection: Collection,
  documents: readonly StoredValue[],
  key: string,
  within: JsonObject,
): readonly TextCount[] => {
  const where = Object.entries(within).map(([name, equals]) => ({ key: name, equals }))
  const lists = documents
    .filter(({ value }) => where.every((filter) => isMet(collection, filter, value)))
    .map(({ value }) => textsOf(value, key))
  return countsIn(lists)
}

/** The number of selected documents for each text under a key, sorted by the UTF-16 of the texts. */
export const expectedTextCounts = (
  collection: Collection,
  documents: readonly StoredValue[],
  key: string,
  selection: Selection,
): readonly TextCount[] => {
  const isList = typeNames[collection.keys[key] ?? 'text'] === 'list'
  const lists = expectedResult(collection, documents, { ...selection, order: [] }).map(({ value }) => {
    const found = isList ? null : valueUnder(collection, key, value)
    return isList ? textsOf(value, key) : new Set(typeof found === 'string' ? [found] : [])
  })
  return countsIn(lists)
}
