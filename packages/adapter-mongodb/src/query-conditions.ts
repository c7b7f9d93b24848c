/**
 * A query's filters as conditions of MongoDB. Absent values are null to it and come before all others; but its
 * comparisons stay within one type, so that an upper bound is written as the denial of a lower one.
 */
import type { Document } from 'mongodb'
import type { Filter, KeyFilter } from '@publishing-service/ports'
import { type CollectionLayout, keyPath, type PlainType, textsPath } from './collection-layout.js'
import { storedKey, type StoredKey } from './stored-document.js'

export type Condition = {
  /** The plain key that it is about; null where it is about a list or several keys. */
  readonly key: string | null
  /** Whether it leaves the key one value, so that an order by the key says nothing more. */
  readonly holdsEqual: boolean
  readonly filter: Document
}

export const typeOfKey = (layout: CollectionLayout, key: string): PlainType => {
  const type = layout.keys.get(key)
  if (type === undefined) throw new Error(`Collection ${layout.name} declares no plain key ${key}`)
  return type
}

export const equalTo = (key: string, value: StoredKey | null): Condition => ({
  key,
  holdsEqual: true,
  filter: { [keyPath(key)]: value },
})

const compared = (key: string, comparison: Document): Condition => ({
  key,
  holdsEqual: false,
  filter: { [keyPath(key)]: comparison },
})

/** What comes before the value, absent values too. */
const before = (key: string, value: StoredKey): Condition => compared(key, { $not: { $gte: value } })

/** The least value of each type that isn't absent. */
const least = { text: '', number: -Number.MAX_VALUE, boolean: false } as const

/** Behind the value, ascending. */
const following = (type: PlainType, value: StoredKey | null): Document =>
  value === null ? { $gte: least[type] } : { $gt: value }

/** What comes behind the value in this direction; null where nothing can. */
export const behind = (
  key: string,
  type: PlainType,
  direction: 'asc' | 'desc',
  value: StoredKey | null,
): Condition | null => {
  if (direction === 'desc') return value === null ? null : before(key, value)
  return compared(key, following(type, value))
}

type Bound = (key: string, type: PlainType, value: StoredKey | null) => readonly Condition[] | null

const bounds: Readonly<Record<'atLeast' | 'above' | 'below' | 'atMost', Bound>> = {
  atLeast: (key, _, value) => (value === null ? [] : [compared(key, { $gte: value })]),
  above: (key, type, value) => [compared(key, following(type, value))],
  below: (key, _, value) => (value === null ? null : [before(key, value)]),
  atMost: (key, _, value) => [value === null ? equalTo(key, null) : compared(key, { $not: { $gt: value } })],
}

const hasText = (layout: CollectionLayout, key: string, text: string): readonly Condition[] | null => {
  if (!layout.texts.has(key)) throw new Error(`Collection ${layout.name} declares no key of texts ${key}`)
  if (text === '') return null
  return [{ key: null, holdsEqual: false, filter: { [textsPath(key)]: text.toWellFormed() } }]
}

/** The filter's conditions; null where no document can meet it. */
const conditionsOf = (layout: CollectionLayout, filter: KeyFilter): readonly Condition[] | null => {
  const { key } = filter
  if ('has' in filter) return hasText(layout, key, filter.has)
  const type = typeOfKey(layout, key)
  if ('equals' in filter) {
    const value = storedKey(type, filter.equals)
    return value === undefined ? null : [equalTo(key, value)]
  }
  if ('oneOf' in filter) {
    const values = [...new Set(filter.oneOf.map((item) => storedKey(type, item)))].filter(
      (value) => value !== undefined,
    )
    const [only] = values
    if (only === undefined) return null
    return values.length === 1 ? [equalTo(key, only)] : [compared(key, { $in: values })]
  }
  const conditions: Condition[] = []
  for (const name of ['atLeast', 'above', 'below', 'atMost'] as const) {
    const wanted = filter[name]
    if (wanted === undefined) continue
    const value = storedKey(type, wanted)
    const bounded = value === undefined ? null : bounds[name](key, type, value)
    if (bounded === null) return null
    conditions.push(...bounded)
  }
  return conditions
}

/** One condition of all groups that some document can meet; null where there is none. */
const alternatives = (
  layout: CollectionLayout,
  anyOf: readonly (readonly KeyFilter[])[],
): readonly Condition[] | null => {
  const groups = anyOf.flatMap((group) => {
    const conditions = queryConditions(layout, group)
    return conditions === null ? [] : [conditions]
  })
  const [only] = groups
  if (only === undefined) return null
  if (groups.length === 1) return only
  if (groups.some(({ length }) => length === 0)) return []
  const $or = groups.map((group) => ({ $and: group.map(({ filter }) => filter) }))
  return [{ key: null, holdsEqual: false, filter: { $or } }]
}

/** The conditions of all filters; null where no document can meet them all. */
export const queryConditions = (
  layout: CollectionLayout,
  where: readonly Filter[],
): readonly Condition[] | null => {
  const all: Condition[] = []
  for (const filter of where) {
    const conditions = 'anyOf' in filter ? alternatives(layout, filter.anyOf) : conditionsOf(layout, filter)
    if (conditions === null) return null
    all.push(...conditions)
  }
  return all
}
