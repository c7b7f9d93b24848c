/** The values of a document under the keys of its collection, as queries see them: rules that all stores share. */
import { isJsonList, type Json, type JsonObject } from '@publishing-service/domain/json'
import { compareTexts, type TextRange } from '@publishing-service/domain/filters'
import type { Collection, KeyType, GroupCount, TextCount } from './document-store.js'

/** The types of keys with one value. */
export type PlainType = Exclude<KeyType, 'texts' | 'intervals'>

/** Whether values of the type are lists. */
export const isListType = (type: KeyType | undefined): type is 'texts' | 'intervals' =>
  type === 'texts' || type === 'intervals'

/** Null if a document has no value under a key. */
export type KeyValue = string | number | boolean | null

/** Null for absent, null and the empty text, which are equal; undefined for a value of another type than the key. */
export const keyOperand = (type: PlainType, value: Json | undefined): KeyValue | undefined => {
  if (value === undefined || value === null || value === '') return null
  if (type === 'text') return typeof value === 'string' ? value.toWellFormed() : undefined
  // -0 becomes 0.
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined
  return typeof value === 'boolean' ? value : undefined
}

/** The value of a document under a plain key. A value of another type than the key counts as absent. */
export const keyValue = (type: PlainType, value: JsonObject, key: string): KeyValue =>
  keyOperand(type, value[key]) ?? null

/** The distinct texts of the list under a key of texts. */
export const textsUnder = (value: JsonObject, key: string): readonly string[] => {
  const list = value[key] ?? null
  if (!isJsonList(list)) return []
  const texts = list.filter((entry) => typeof entry === 'string').filter((text) => text !== '')
  return [...new Set(texts.map((text) => text.toWellFormed()))]
}

/** Absent values first; texts by code point, numbers by value, false before true. */
export const compareKeyValues = (a: KeyValue, b: KeyValue): number => {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  return Number(a) - Number(b)
}

/** The type of a plain key. Throws for other and undeclared keys, which are a defect of the caller. */
export const plainTypeOf = ({ name, keys }: Pick<Collection, 'name' | 'keys'>, key: string): PlainType => {
  const type = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (type === undefined || isListType(type))
    throw new Error(`Collection ${name} declares no plain key ${key}`)
  return type
}

/** Throws if the key is not a key of texts or intervals, or the range has an end and the key no intervals. */
export const requireTexts = (
  { name, keys }: Pick<Collection, 'name' | 'keys'>,
  key: string,
  { endsAbove }: Pick<TextRange, 'endsAbove'> = {},
): void => {
  const type = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (!isListType(type)) throw new Error(`Collection ${name} declares no key of texts ${key}`)
  if (endsAbove !== undefined && type !== 'intervals')
    throw new Error(`Collection ${name} declares no key of intervals ${key}`)
}

/**
 * The distinct texts of a document under a key of texts or of one text. Throws for another key, which is a defect of the
 * caller.
 */
export const countedTexts = (
  collection: Pick<Collection, 'name' | 'keys'>,
  key: string,
): ((value: JsonObject) => readonly string[]) => {
  if (isListType(collection.keys[key])) return (value) => textsUnder(value, key)
  const type = plainTypeOf(collection, key)
  if (type !== 'text') throw new Error(`Collection ${collection.name} declares no texts under ${key}`)
  return (value) => {
    const text = keyValue(type, value, key)
    return typeof text === 'string' ? [text] : []
  }
}

/** Adds up texts: the number of lists that have each of them. */
export const textCounts = (lists: Iterable<readonly string[]>): readonly TextCount[] => {
  const counts = new Map<string, number>()
  for (const list of lists) for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Array.from(counts, ([text, count]) => ({ text, count }))
}

/**
 * Finds the declared group count with these keys, in any order. The function throws if there is none, which is a defect of
 * the caller.
 */
export const groupCountFinder = <T extends GroupCount>({
  name,
  groupCounts,
}: {
  readonly name: string
  readonly groupCounts: readonly T[]
}): ((key: string, within: Readonly<Record<string, Json>>) => T) => {
  const nameOf = (key: string, within: readonly string[]): string =>
    `${key} within ${within.toSorted().join(', ')}`
  const byName = new Map(groupCounts.map((each) => [nameOf(each.key, each.within), each]))
  return (key, within) => {
    const requested = nameOf(key, Object.keys(within))
    const found = byName.get(requested)
    if (found === undefined) throw new Error(`Collection ${name} declares no group count of ${requested}`)
    return found
  }
}

/** A key with one value, and its type. */
export type PlainKey = { readonly key: string; readonly type: PlainType }

/** Plain keys with their types. Throws for other and undeclared keys, which are a defect of the caller. */
export const plainKeys = (
  collection: Pick<Collection, 'name' | 'keys'>,
  keys: readonly string[],
): readonly PlainKey[] => keys.map((key) => ({ key, type: plainTypeOf(collection, key) }))

/** The values of a query, in the order of the keys; null if no document can have them. */
export const groupOfFilters = (
  keys: readonly PlainKey[],
  within: Readonly<Record<string, Json>>,
): readonly KeyValue[] | null => {
  const values: KeyValue[] = []
  for (const { key, type } of keys) {
    const value = keyOperand(type, within[key])
    if (value === undefined) return null
    values.push(value)
  }
  return values
}

/** The group of a document: its values under the keys. */
export const groupOfDocument = (
  collection: Pick<Collection, 'name' | 'keys'>,
  keys: readonly string[],
  value: JsonObject,
): readonly KeyValue[] => keys.map((key) => keyValue(plainTypeOf(collection, key), value, key))
