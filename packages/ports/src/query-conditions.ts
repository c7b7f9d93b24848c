/**
 * The meaning of a query for every store: its filters as conditions on typed values, its order without keys that have
 * one value, and the positions after a cursor. A store translates these, or tests documents with them.
 */
import type { JsonObject } from '@publishing-service/domain/json'
import {
  isInRange,
  type Filter,
  type KeyFilter,
  type Order,
  type TextRange,
} from '@publishing-service/domain/filters'
import type { Collection, Cursor, Document, Query } from './document-store.js'
import {
  compareKeyValues,
  keyOperand,
  keyValue,
  type KeyValue,
  plainTypeOf,
  requireTexts,
  textsUnder,
  type PlainType,
} from './key-values.js'

/** Null is the absent value, which sorts before all others. Values have the type of the key. */
export type KeyCondition =
  | { readonly is: 'equal'; readonly key: string; readonly type: PlainType; readonly value: KeyValue }
  /** At least two different values. */
  | {
      readonly is: 'one of'
      readonly key: string
      readonly type: PlainType
      readonly values: readonly KeyValue[]
    }
  | { readonly is: 'above'; readonly key: string; readonly type: PlainType; readonly value: KeyValue }
  | {
      readonly is: 'at least' | 'below' | 'at most'
      readonly key: string
      readonly type: PlainType
      readonly value: Exclude<KeyValue, null>
    }
  | { readonly is: 'has'; readonly key: string; readonly text: string }
  | { readonly is: 'has in'; readonly key: string; readonly range: TextRange }
  /** At least one text. */
  | { readonly is: 'has none'; readonly key: string; readonly texts: readonly string[] }

/** `any of` is met if all conditions of a group are met. It has at least two groups, none of them empty. */
export type Condition =
  KeyCondition | { readonly is: 'any of'; readonly groups: readonly (readonly KeyCondition[])[] }

type Keys = Pick<Collection, 'name' | 'keys'>

/** Null for a bound that no document can meet. A bound that all documents meet adds no condition. */
const rangeConditions = (
  key: string,
  type: PlainType,
  { atLeast, above, below, atMost }: Extract<KeyFilter, { readonly atLeast?: string | number }>,
): readonly KeyCondition[] | null => {
  const conditions: KeyCondition[] = []
  const bounds = [
    ['at least', atLeast],
    ['above', above],
    ['below', below],
    ['at most', atMost],
  ] as const
  for (const [is, bound] of bounds) {
    if (bound === undefined) continue
    const value = keyOperand(type, bound)
    if (value === undefined || (value === null && is === 'below')) return null
    if (is === 'above') conditions.push({ is, key, type, value })
    else if (value !== null) conditions.push({ is, key, type, value })
    else if (is === 'at most') conditions.push({ is: 'equal', key, type, value })
  }
  return conditions
}

/** The range that stores compare with their texts, which are well-formed. */
export const wellFormedRange = ({ atLeast, below, endsAbove }: TextRange): TextRange => ({
  atLeast: atLeast.toWellFormed(),
  below: below.toWellFormed(),
  ...(endsAbove === undefined ? {} : { endsAbove: endsAbove.toWellFormed() }),
})

const keyConditions = (collection: Keys, filter: KeyFilter): readonly KeyCondition[] | null => {
  const { key } = filter
  if ('has' in filter) {
    requireTexts(collection, key)
    return filter.has === '' ? null : [{ is: 'has', key, text: filter.has.toWellFormed() }]
  }
  if ('hasIn' in filter) {
    requireTexts(collection, key, filter.hasIn)
    return [{ is: 'has in', key, range: wellFormedRange(filter.hasIn) }]
  }
  if ('hasNone' in filter) {
    requireTexts(collection, key)
    const texts = filter.hasNone.filter((text) => text !== '').map((text) => text.toWellFormed())
    return texts.length === 0 ? [] : [{ is: 'has none', key, texts }]
  }
  const type = plainTypeOf(collection, key)
  if ('equals' in filter) {
    const value = keyOperand(type, filter.equals)
    return value === undefined ? null : [{ is: 'equal', key, type, value }]
  }
  if (!('oneOf' in filter)) return rangeConditions(key, type, filter)
  const values = [...new Set(filter.oneOf.map((value) => keyOperand(type, value)))].filter(
    (value) => value !== undefined,
  )
  const [only] = values
  if (only === undefined) return null
  return values.length === 1
    ? [{ is: 'equal', key, type, value: only }]
    : [{ is: 'one of', key, type, values }]
}

/** Whether the conditions allow no value of a key, for example if the requested state is not visible. */
const exclude = (conditions: readonly Condition[]): boolean => {
  const allowed = new Map<string, readonly KeyValue[]>()
  for (const condition of conditions) {
    if (condition.is !== 'equal' && condition.is !== 'one of') continue
    const values = condition.is === 'equal' ? [condition.value] : condition.values
    const before = allowed.get(condition.key)
    const left = before === undefined ? values : values.filter((value) => before.includes(value))
    if (left.length === 0) return true
    allowed.set(condition.key, left)
  }
  return false
}

const groupConditions = (collection: Keys, group: readonly KeyFilter[]): readonly KeyCondition[] | null => {
  const all = group.map((filter) => keyConditions(collection, filter))
  const possible = all.filter((conditions) => conditions !== null)
  return possible.length < all.length ? null : possible.flat()
}

const anyOfConditions = (
  collection: Keys,
  anyOf: readonly (readonly KeyFilter[])[],
): readonly Condition[] | null => {
  const groups = anyOf
    .map((group) => groupConditions(collection, group))
    .filter((group) => group !== null)
    .filter((group) => !exclude(group))
  const [only] = groups
  if (only === undefined) return null
  if (groups.length === 1) return only
  // Every document meets a group without conditions.
  return groups.some(({ length }) => length === 0) ? [] : [{ is: 'any of', groups }]
}

/** The conditions that are equivalent to the filters; null if no document can meet them. Throws for an undeclared key. */
export const queryConditions = (collection: Keys, where: readonly Filter[]): readonly Condition[] | null => {
  const conditions: Condition[] = []
  let isPossible = true
  for (const filter of where) {
    const own =
      'anyOf' in filter ? anyOfConditions(collection, filter.anyOf) : keyConditions(collection, filter)
    if (own === null) isPossible = false
    else conditions.push(...own)
  }
  return isPossible && !exclude(conditions) ? conditions : null
}

/** Whether a document meets all conditions. */
export const matchesConditions = (conditions: readonly Condition[], value: JsonObject): boolean =>
  conditions.every((condition) => {
    if (condition.is === 'any of') return condition.groups.some((group) => matchesConditions(group, value))
    if (condition.is === 'has') return textsUnder(value, condition.key).includes(condition.text)
    if (condition.is === 'has in')
      return textsUnder(value, condition.key).some((text) => isInRange(text, condition.range))
    if (condition.is === 'has none')
      return !textsUnder(value, condition.key).some((text) => condition.texts.includes(text))
    const found = keyValue(condition.type, value, condition.key)
    if (condition.is === 'one of') return condition.values.includes(found)
    const difference = compareKeyValues(found, condition.value)
    switch (condition.is) {
      case 'equal':
        return difference === 0
      case 'above':
        return difference > 0
      case 'at least':
        return difference >= 0
      case 'below':
        return difference < 0
      case 'at most':
        return difference <= 0
    }
  })

/** The keys that conditions fix to one value. */
export const fixedKeys = (conditions: readonly Condition[]): Set<string> => {
  const fixed = new Set<string>()
  for (const each of conditions) if (each.is === 'equal') fixed.add(each.key)
  return fixed
}

/** The order without duplicate keys and keys that a condition fixes to one value. Throws for an undeclared key. */
export const queryOrder = (
  collection: Keys,
  order: readonly Order[],
  conditions: readonly Condition[],
): readonly Order[] => {
  const known = fixedKeys(conditions)
  const needed: Order[] = []
  for (const each of order) {
    plainTypeOf(collection, each.key)
    if (!known.has(each.key)) needed.push(each)
    known.add(each.key)
  }
  return needed
}

/** A place in an order: the values of its keys, and the position of the document. */
export type Place = { readonly values: readonly KeyValue[]; readonly position: number }

export const placeOf = (
  collection: Keys,
  order: readonly Order[],
  { value, position }: Pick<Document, 'value' | 'position'>,
): Place => ({
  values: order.map(({ key }) => keyValue(plainTypeOf(collection, key), value, key)),
  position,
})

/**
 * The direction in which documents that are equal in the order are sorted by their positions: that of the first key, so that
 * one index serves both directions.
 */
export const tieDirection = ({ order, insertion = 'asc' }: Pick<Query, 'order' | 'insertion'>) =>
  order[0]?.direction ?? insertion

/** Compares places in an order. */
export const comparePlaces =
  (order: readonly Order[], ties: Order['direction'] = tieDirection({ order })) =>
  (a: Place, b: Place): number => {
    for (const [i, { direction }] of order.entries()) {
      const difference = compareKeyValues(a.values[i] ?? null, b.values[i] ?? null)
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return ties === 'asc' ? a.position - b.position : b.position - a.position
  }

export const cursorAt = ({ values, position }: Place): Cursor => [...values, position]

/** A cursor that a query has not returned, or that another query has. Reads reject with it. */
export class InvalidCursor extends Error {
  constructor() {
    super('The cursor belongs to another query')
  }
}

/** The place in a cursor of an order with this number of keys. Throws InvalidCursor for another. */
export const placeIn = (cursor: Cursor, keys: number): Place => {
  const isList = (value: Cursor): value is readonly Cursor[] => Array.isArray(value)
  if (!isList(cursor) || cursor.length !== keys + 1) throw new InvalidCursor()
  const values = cursor.map((value) => {
    if (value !== null && typeof value === 'object') throw new InvalidCursor()
    return value
  })
  const position = values.at(-1)
  if (typeof position !== 'number' || !Number.isSafeInteger(position)) throw new InvalidCursor()
  return { values: values.slice(0, keys), position }
}

/** One of the ranges that together follow a position. */
export type Range<V = KeyValue> = {
  /** The values of the first keys of the order. */
  readonly equal: readonly V[]
  /** The next key and its value, after which the range begins in the direction of the key; null in the first range. */
  readonly after: { readonly order: Order; readonly value: V } | null
  /** The order within the range, before the position. */
  readonly remaining: readonly Order[]
}

/**
 * The ranges after the place (a, b, position), in order: documents equal in a and b that are after it by position, then
 * those equal in a and after b, then those after a. An index serves each range from its first entry. A single comparison
 * of all three would be wrong if the keys have different directions.
 */
export const rangesAfter = <V>(order: readonly Order[], values: readonly V[]): readonly Range<V>[] => {
  const following = order.flatMap((each, i): readonly Range<V>[] => {
    const [value] = values.slice(i, i + 1)
    return value === undefined
      ? []
      : [{ equal: values.slice(0, i), after: { order: each, value }, remaining: order.slice(i) }]
  })
  return [{ equal: values.slice(0, order.length), after: null, remaining: [] }, ...following.toReversed()]
}

// Samples of documents are taken by their positions, which no value depends on.

/** A prime, and a factor in the golden ratio to it: regular distances between positions are spread evenly over the prime. */
export const sampling = { prime: 1_048_573, factor: 648_053 } as const

/** Whether a position is in the sample of one in so many. A sample contains those of multiples. */
export const isSampled = (position: number, oneIn: number): boolean =>
  (((position % sampling.prime) * sampling.factor) % sampling.prime) * oneIn < sampling.prime

/** The sample from which the number of documents is estimated. */
export const estimatingSample = 16

/** The sample, one in so many, that has about `most` documents, or half as many, if this number is in the estimating one. */
export const sampleFor = (estimating: number, most: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2((estimating * estimatingSample) / most)))
