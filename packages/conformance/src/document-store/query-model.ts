/**
 * What a query has to answer, in the plainest form: filter a list, sort it. Stores are compared with it.
 * It shares no code with any adapter.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import { type Collection, type Filter, keyValue, type Query } from '@publishing-service/ports'

/** A document as the model knows it; lists of them are in the order of their insertion. */
export type Held = { readonly id: string; readonly value: JsonObject }

type KeyValue = ReturnType<typeof keyValue>

const typeNames = { text: 'string', number: 'number', boolean: 'boolean' } as const

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

const holds = (collection: Collection, filter: Filter, value: JsonObject): boolean => {
  const found = keyValue(value, filter.key)
  const type = typeNames[collection.keys[filter.key] ?? 'text']
  const equals = (wanted: Json): boolean =>
    wanted === null || wanted === '' ? found === null : typeof wanted === type && wanted === found
  if ('equals' in filter) return equals(filter.equals)
  if ('oneOf' in filter) return filter.oneOf.some(equals)
  const { atLeast, below, atMost } = filter
  const bound = (text: string | number): KeyValue => (text === '' ? null : text)
  return (
    (atLeast === undefined || compare(found, bound(atLeast)) >= 0) &&
    (below === undefined || compare(found, bound(below)) < 0) &&
    (atMost === undefined || compare(found, bound(atMost)) <= 0)
  )
}

/** All documents that the query gives over its pages, in order; `skip` and `limit` are left to the pages. */
export const expectedResult = (
  collection: Collection,
  documents: readonly Held[],
  query: Pick<Query, 'where' | 'order'>,
): readonly Held[] =>
  documents
    .filter(({ value }) => query.where.every((filter) => holds(collection, filter, value)))
    .toSorted((a, b) => {
      for (const { key, direction } of query.order) {
        const comparison = compare(keyValue(a.value, key), keyValue(b.value, key))
        if (comparison !== 0) return direction === 'asc' ? comparison : -comparison
      }
      return 0
    })
