/**
 * A query's filters with their values taken out, so that queries that differ in values alone have one plan. A value
 * is named by its slot, its place in a list that is bound when the plan is carried out.
 */
import type { Json } from '@publishing-service/domain'
import type { Filter, KeyFilter } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { absentValue, type KeyColumn, type PlainType, type Parameter } from './key-column.js'
import type { TextsTable } from './derived-table.js'

/** A place among the values of a plan. */
export type Slot = number

export type Operator = '=' | '<' | '<=' | '>' | '>='

export type Asked =
  | { readonly key: string; readonly operator: Operator; readonly slot: Slot }
  | { readonly key: string; readonly oneOf: readonly Slot[] }
  | { readonly key: string; readonly has: Slot }

export type AskedFilters = readonly (Asked | { readonly anyOf: readonly (readonly Asked[])[] })[]

export const keyColumnOf = (layout: CollectionLayout, key: string): KeyColumn => {
  const column = layout.keys.get(key)
  if (column === undefined) throw new Error(`Collection ${layout.name} declares no plain key ${key}`)
  return column
}

export const textsTableOf = (layout: CollectionLayout, key: string): TextsTable => {
  const table = layout.texts.get(key)
  if (table === undefined) throw new Error(`Collection ${layout.name} declares no key of texts ${key}`)
  return table
}

/** A value as the key's column holds it; undefined where the column can hold no such value. */
export const columnValue = (type: PlainType, value: Json): Parameter | undefined => {
  if (value === null || value === '') return absentValue[type]
  if (type === 'text') return typeof value === 'string' ? value.toWellFormed() : undefined
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  return typeof value === 'boolean' ? Number(value) : undefined
}

const bounds = [
  ['atLeast', '>='],
  ['above', '>'],
  ['below', '<'],
  ['atMost', '<='],
] as const

type Take = (value: Parameter) => Slot

const askedOf = (layout: CollectionLayout, filter: KeyFilter, take: Take): readonly Asked[] | null => {
  const { key } = filter
  if ('has' in filter) {
    textsTableOf(layout, key)
    return filter.has === '' ? null : [{ key, has: take(filter.has.toWellFormed()) }]
  }
  const { type } = keyColumnOf(layout, key)
  const compared = (operator: Operator, value: Parameter): Asked => ({ key, operator, slot: take(value) })
  if ('equals' in filter) {
    const value = columnValue(type, filter.equals)
    return value === undefined ? null : [compared('=', value)]
  }
  if ('oneOf' in filter) {
    const values = [...new Set(filter.oneOf.flatMap((item) => columnValue(type, item) ?? []))]
    const [only] = values
    if (only === undefined) return null
    return values.length === 1 ? [compared('=', only)] : [{ key, oneOf: values.map(take) }]
  }
  const asked: Asked[] = []
  for (const [name, operator] of bounds) {
    const bound = filter[name]
    if (bound === undefined) continue
    const value = columnValue(type, bound)
    if (value === undefined) return null
    asked.push(compared(operator, value))
  }
  return asked
}

const groupOf = (
  layout: CollectionLayout,
  group: readonly KeyFilter[],
  take: Take,
): readonly Asked[] | null => {
  const all: Asked[] = []
  for (const filter of group) {
    const asked = askedOf(layout, filter, take)
    if (asked === null) return null
    all.push(...asked)
  }
  return all
}

/** Whether filters leave a key no value, as a state that is asked for and another that is all one may see. */
const exclude = (layout: CollectionLayout, where: readonly Filter[]): boolean => {
  const left = new Map<string, readonly (Parameter | undefined)[]>()
  for (const filter of where) {
    if (!('equals' in filter) && !('oneOf' in filter)) continue
    const { type } = keyColumnOf(layout, filter.key)
    const asked = 'equals' in filter ? [filter.equals] : filter.oneOf
    const values = asked.map((value) => columnValue(type, value))
    const before = left.get(filter.key) ?? values
    left.set(
      filter.key,
      values.filter((value) => before.includes(value)),
    )
  }
  return [...left.values()].some(({ length }) => length === 0)
}

/** What the filters ask, their values handed to `take`; null where no document can meet them all. */
export const askedFilters = (
  layout: CollectionLayout,
  where: readonly Filter[],
  take: Take,
): AskedFilters | null => {
  if (exclude(layout, where)) return null
  const all: AskedFilters[number][] = []
  for (const filter of where) {
    if ('anyOf' in filter) {
      const groups = filter.anyOf.flatMap((group) => {
        const asked = groupOf(layout, group, take)
        return asked === null ? [] : [asked]
      })
      const [only] = groups
      if (only === undefined) return null
      if (groups.length === 1) all.push(...only)
      // A group that asks nothing holds for every document.
      else if (groups.every(({ length }) => length > 0)) all.push({ anyOf: groups })
      continue
    }
    const asked = askedOf(layout, filter, take)
    if (asked === null) return null
    all.push(...asked)
  }
  return all
}
