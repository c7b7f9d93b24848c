/**
 * A query's conditions with their values taken out, so that queries that differ in values alone have one plan. A value
 * is named by its slot, its place in a list that is bound when the plan is carried out.
 */
import type { Condition, KeyCondition } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { TextsTable } from './derived-table.js'
import { columnValue, type KeyColumn, type Parameter } from './key-column.js'

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

const operators = { equal: '=', below: '<', 'at most': '<=', above: '>', 'at least': '>=' } as const

type Take = (value: Parameter) => Slot

const askedOf = (condition: KeyCondition, take: Take): Asked => {
  const { key } = condition
  if (condition.is === 'has') return { key, has: take(condition.text) }
  const slotOf = (value: string | number | boolean | null): Slot => take(columnValue(condition.type, value))
  if (condition.is === 'one of') return { key, oneOf: condition.values.map(slotOf) }
  return { key, operator: operators[condition.is], slot: slotOf(condition.value) }
}

/** What the conditions ask, their values handed to `take`. */
export const askedFilters = (conditions: readonly Condition[], take: Take): AskedFilters =>
  conditions.map((condition) =>
    condition.is === 'any of'
      ? { anyOf: condition.groups.map((group) => group.map((each) => askedOf(each, take))) }
      : askedOf(condition, take),
  )
