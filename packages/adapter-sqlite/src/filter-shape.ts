/**
 * The shape of a query's filters: keys and operators, with values replaced by slots. Queries that differ only in values
 * have the same shape, and so the same plan and prepared statement. A slot is an index into the list of parameters.
 */
import type { TextRange } from '@publishing-service/domain/lists'
import type { Condition, KeyCondition } from '@publishing-service/ports'
import { columnValue, type Parameter } from './key-column.js'

/** An index into the parameters of a query. */
export type Slot = number

export type Operator = '=' | '<' | '<=' | '>' | '>='

/** The slots of a range of texts. */
export type RangeSlots = { readonly atLeast: Slot; readonly below: Slot; readonly endsAbove: Slot | null }

export type KeyShape =
  | { readonly key: string; readonly operator: Operator; readonly slot: Slot }
  | { readonly key: string; readonly oneOf: readonly Slot[] }
  | { readonly key: string; readonly has: Slot }
  | { readonly key: string; readonly hasIn: RangeSlots }

export type FilterShape =
  | KeyShape
  | { readonly anyOf: readonly (readonly KeyShape[])[] }
  /** The slot of an FTS5 expression. */
  | { readonly words: Slot }

const operators = { equal: '=', below: '<', 'at most': '<=', above: '>', 'at least': '>=' } as const

/** Adds a parameter and returns its slot. */
type AddParameter = (value: Parameter) => Slot

export const rangeSlots = ({ atLeast, below, endsAbove }: TextRange, add: AddParameter): RangeSlots => ({
  atLeast: add(atLeast),
  below: add(below),
  endsAbove: endsAbove === undefined ? null : add(endsAbove),
})

const keyShape = (condition: KeyCondition, add: AddParameter): KeyShape => {
  const { key } = condition
  if (condition.is === 'has') return { key, has: add(condition.text) }
  if (condition.is === 'has in') return { key, hasIn: rangeSlots(condition.range, add) }
  const slotOf = (value: string | number | boolean | null): Slot => add(columnValue(condition.type, value))
  if (condition.is === 'one of') return { key, oneOf: condition.values.map(slotOf) }
  return { key, operator: operators[condition.is], slot: slotOf(condition.value) }
}

export const filterShapes = (conditions: readonly Condition[], add: AddParameter): readonly FilterShape[] =>
  conditions.map((condition) =>
    condition.is === 'any of'
      ? { anyOf: condition.groups.map((group) => group.map((each) => keyShape(each, add))) }
      : keyShape(condition, add),
  )
