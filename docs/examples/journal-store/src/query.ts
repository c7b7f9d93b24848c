/** Filters, orders and cursors as the port defines them, over documents in memory. */
import type { Json, JsonObject } from '@publishing-service/domain'
import { keyValue, type Collection, type Filter, type KeyType, type Order } from '@publishing-service/ports'

type KeyValue = ReturnType<typeof keyValue>

/** A place in an order: the values of the order's keys, then the place among all insertions. It is the cursor too. */
export type Position = readonly [values: readonly KeyValue[], sequence: number]

/** A key that is asked for without having been declared is a defect, and no answer. */
const declaredType = ({ name, keys }: Collection, key: string, isList: boolean): KeyType => {
  const type = keys[key]
  if (type === undefined || (type === 'texts') !== isList)
    throw new Error(`Collection ${name} declares no such key ${key}`)
  return type
}

/** A value of another type than the key's is none. */
const valueUnder = (collection: Collection, key: string, value: JsonObject): KeyValue => {
  const type = declaredType(collection, key, false)
  const found = keyValue(value, key)
  return typeof found === (type === 'text' ? 'string' : type) ? found : null
}

/** The texts of the list under a key of texts, each once. */
export const textsUnder = (collection: Collection, key: string, value: JsonObject): ReadonlySet<string> => {
  declaredType(collection, key, true)
  const list = value[key]
  const entries: readonly unknown[] = Array.isArray(list) ? list : []
  return new Set(entries.filter((entry) => typeof entry === 'string').filter((text) => text !== ''))
}

const plain = (value: Json): Json => (value === '' ? null : value)

/** Absent values first; texts by code point, as their UTF-8 is ordered; numbers by size, false before true. */
const compare = (a: KeyValue, b: KeyValue): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

/** Whether a document's value is one that the filter asks for. */
export const holds = (collection: Collection, filter: Filter, value: JsonObject): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.some((group) => group.every((each) => holds(collection, each, value)))
  if ('has' in filter) return textsUnder(collection, filter.key, value).has(filter.has)
  const found = valueUnder(collection, filter.key, value)
  if ('equals' in filter) return plain(filter.equals) === found
  if ('oneOf' in filter) return filter.oneOf.some((each) => plain(each) === found)
  const { atLeast, above, below, atMost } = filter
  const against = (bound: string | number): number => compare(found, bound === '' ? null : bound)
  return (
    (atLeast === undefined || against(atLeast) >= 0) &&
    (above === undefined || against(above) > 0) &&
    (below === undefined || against(below) < 0) &&
    (atMost === undefined || against(atMost) <= 0)
  )
}

export const positionOf = (
  collection: Collection,
  order: readonly Order[],
  value: JsonObject,
  sequence: number,
): Position => [order.map(({ key }) => valueUnder(collection, key, value)), sequence]

/** Ties come in the order of their insertion, whatever the direction. */
export const inOrder =
  (order: readonly Order[]) =>
  ([a, first]: Position, [b, second]: Position): number => {
    for (const [index, { direction }] of order.entries()) {
      const difference = compare(a[index] ?? null, b[index] ?? null)
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return first - second
  }
