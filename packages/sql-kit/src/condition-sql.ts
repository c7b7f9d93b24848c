import { type Condition, type KeyCondition, plainTypeOf } from '@publishing-service/ports'
import { keyBytes, textBytes } from './key-bytes.js'
import type { CollectionLayout, ListTable } from './layout.js'
import type { Parameters } from './statement.js'

/** Where the columns of a document are in a statement. */
export type Row = {
  readonly column: (name: string) => string
  readonly position: string
  readonly instance: number
}

const comparisons = { equal: '=', above: '>', 'at least': '>=', below: '<', 'at most': '<=' } as const

/** The number of values of the statement for this many: few numbers, so that there are few statements. */
const roundedUp = (count: number): number => 2 ** Math.ceil(Math.log2(count))

const listOf = ({ collection, lists }: CollectionLayout, key: string): ListTable => {
  const list = lists.get(key)
  if (list === undefined) throw new Error(`Collection ${collection.name} has no list ${key}`)
  return list
}

const keyConditionSql = (
  layout: CollectionLayout,
  condition: KeyCondition,
  row: Row,
  parameters: Parameters,
): string => {
  if (condition.is === 'has' || condition.is === 'has in') {
    const { table } = listOf(layout, condition.key)
    const inInstance = `x.instance = ${parameters.add(row.instance)}`
    if (condition.is === 'has')
      return `EXISTS (SELECT 1 FROM ${table} AS x WHERE ${inInstance} AND x.text = ${parameters.add(textBytes(condition.text))} AND x.position = ${row.position})`
    const { atLeast, below, endsAbove } = condition.range
    const tests = [
      inInstance,
      `x.text >= ${parameters.add(textBytes(atLeast))}`,
      `x.text < ${parameters.add(textBytes(below))}`,
      ...(endsAbove === undefined ? [] : [`x.ends > ${parameters.add(textBytes(endsAbove))}`]),
    ]
    return `${row.position} IN (SELECT x.position FROM ${table} AS x WHERE ${tests.join(' AND ')})`
  }
  plainTypeOf(layout.collection, condition.key)
  const column = row.column(layout.keys.get(condition.key)?.column ?? '')
  if (condition.is !== 'one of')
    return `${column} ${comparisons[condition.is]} ${parameters.add(keyBytes(condition.value))}`
  const values = condition.values.map(keyBytes)
  const [first = keyBytes(null)] = values
  const padding = Array.from({ length: roundedUp(values.length) - values.length }, () => first)
  return `${column} IN (${parameters.addAll([...values, ...padding])})`
}

/** The condition for the row of a document. */
export const conditionSql = (
  layout: CollectionLayout,
  condition: Condition,
  row: Row,
  parameters: Parameters,
): string => {
  if (condition.is !== 'any of') return keyConditionSql(layout, condition, row, parameters)
  const groups = condition.groups.map((group) =>
    group.map((each) => keyConditionSql(layout, each, row, parameters)).join(' AND '),
  )
  return `(${groups.map((group) => `(${group})`).join(' OR ')})`
}
