/**
 * Queries over documents in memory: filters, orders and cursors as the document store's port defines them.
 * Plain and slow on purpose: it looks at every document.
 */
import type { Json, JsonObject } from '@publishing-service/domain'
import { keyValue } from '@publishing-service/ports'
import type { Collection, Cursor, Filter, KeyType, Order } from '@publishing-service/ports'

type PlainType = Exclude<KeyType, 'texts'>
type KeyValue = ReturnType<typeof keyValue>

/** Where a document stands in an order: the values of the order's keys, then its place among all insertions. */
export type Position = { readonly values: readonly KeyValue[]; readonly sequence: number }

const typeOfKey = (collection: Collection, key: string): PlainType => {
  const type = collection.keys[key]
  if (type === undefined) throw new Error(`Collection ${collection.name} declares no key ${key}`)
  if (type === 'texts') throw new Error(`${key} of ${collection.name} is a list, and has no plain value`)
  return type
}

const isOfType = (type: PlainType, value: unknown): boolean =>
  type === 'text'
    ? typeof value === 'string'
    : type === 'number'
      ? Number.isFinite(value)
      : typeof value === 'boolean'

/** The document's value under a plain key. */
export const valueUnder = (collection: Collection, key: string, value: JsonObject): KeyValue => {
  const found = keyValue(value, key)
  return isOfType(typeOfKey(collection, key), found) ? found : null
}

/** The texts of the list under a key of texts, each once. */
export const textsUnder = (collection: Collection, key: string, value: JsonObject): ReadonlySet<string> => {
  if (collection.keys[key] !== 'texts')
    throw new Error(`Collection ${collection.name} declares no texts ${key}`)
  const list = value[key]
  const entries: readonly unknown[] = Array.isArray(list) ? list : []
  return new Set(entries.filter((entry) => typeof entry === 'string').filter((text) => text !== ''))
}

/** What a filter compares with, or undefined where no document can hold such a value. */
const operand = (type: PlainType, value: Json): KeyValue | undefined =>
  value === null || value === '' ? null : isOfType(type, value) ? (value as KeyValue) : undefined

/** A value to compare with what documents have under a plain key; undefined where none can have it. */
export const operandOf = (collection: Collection, key: string, value: Json): KeyValue | undefined =>
  operand(typeOfKey(collection, key), value)

/** Shifts UTF-16 code units so that they compare as code points do: surrogates, of astral characters, go last. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)

const compareTexts = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const compareValues = (a: KeyValue, b: KeyValue): number => {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1)
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)
}

/** Whether the document's value satisfies the filter. */
export const holds = (collection: Collection, filter: Filter, value: JsonObject): boolean => {
  if ('anyOf' in filter)
    return filter.anyOf.some((group) => group.every((each) => holds(collection, each, value)))
  if ('has' in filter) return textsUnder(collection, filter.key, value).has(filter.has)
  const type = typeOfKey(collection, filter.key)
  const found = valueUnder(collection, filter.key, value)
  if ('equals' in filter) return operand(type, filter.equals) === found
  if ('oneOf' in filter) return filter.oneOf.some((item) => operand(type, item) === found)
  const satisfies = (bound: string | number | undefined, test: (comparison: number) => boolean): boolean => {
    if (bound === undefined) return true
    const other = operand(type, bound)
    return other !== undefined && test(compareValues(found, other))
  }
  return (
    satisfies(filter.atLeast, (comparison) => comparison >= 0) &&
    satisfies(filter.above, (comparison) => comparison > 0) &&
    satisfies(filter.below, (comparison) => comparison < 0) &&
    satisfies(filter.atMost, (comparison) => comparison <= 0)
  )
}

export const positionIn = (
  collection: Collection,
  order: readonly Order[],
  value: JsonObject,
  sequence: number,
): Position => ({ values: order.map(({ key }) => valueUnder(collection, key, value)), sequence })

/** Documents that the order leaves equal come in the order of their insertion, whatever the direction. */
export const comparePositions =
  (order: readonly Order[]) =>
  (a: Position, b: Position): number => {
    for (const [i, { direction }] of order.entries()) {
      const comparison = compareValues(a.values[i] ?? null, b.values[i] ?? null)
      if (comparison !== 0) return direction === 'asc' ? comparison : -comparison
    }
    return a.sequence - b.sequence
  }

export const cursorOf = ({ values, sequence }: Position): Cursor => [...values, sequence]

export const positionOf = (cursor: Cursor): Position => {
  if (!Array.isArray(cursor)) throw new Error('Not a cursor of this store')
  return { values: cursor.slice(0, -1) as KeyValue[], sequence: Number(cursor.at(-1)) }
}
