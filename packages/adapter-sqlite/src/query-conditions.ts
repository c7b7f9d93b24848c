/** A query's filters as conditions in SQL, with the values bound apart from the text. */
import type { Json } from '@publishing-service/domain'
import type { Filter } from '@publishing-service/ports'
import { absentValue, type CollectionLayout, type KeyColumn, type KeyType } from './collection-layout.js'

export type Parameter = string | number

export type Condition = {
  readonly key: string
  /** Whether it leaves the key one value, so that an order by the key says nothing more. */
  readonly holdsEqual: boolean
  readonly sql: string
  readonly parameters: readonly Parameter[]
}

export const keyColumnOf = (layout: CollectionLayout, key: string): KeyColumn => {
  const column = layout.keys.get(key)
  if (column === undefined) throw new Error(`Collection ${layout.name} declares no key ${key}`)
  return column
}

/** A value as the key's column holds it; undefined where the column can hold no such value. */
export const columnValue = (type: KeyType, value: Json): Parameter | undefined => {
  if (value === null || value === '') return absentValue[type]
  if (type === 'text') return typeof value === 'string' ? value.toWellFormed() : undefined
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  return typeof value === 'boolean' ? Number(value) : undefined
}

const equal = ({ key, column }: KeyColumn, value: Parameter): Condition => ({
  key,
  holdsEqual: true,
  sql: `${column} = ?`,
  parameters: [value],
})

/** Lists are filled up to a power of two with their last value, so that few statements serve all lengths. */
const oneOf = (column: KeyColumn, values: readonly Parameter[]): Condition | null => {
  const last = values.at(-1)
  if (last === undefined) return null
  if (values.length === 1) return equal(column, last)
  const length = 2 ** Math.ceil(Math.log2(values.length))
  const parameters = [...values, ...Array.from({ length: length - values.length }, () => last)]
  const places = parameters.map(() => '?').join(', ')
  return { key: column.key, holdsEqual: false, sql: `${column.column} IN (${places})`, parameters }
}

const bounds = [
  ['atLeast', '>='],
  ['below', '<'],
  ['atMost', '<='],
] as const

/** The filter's conditions; null where no document can meet it. */
const conditionsOf = (layout: CollectionLayout, filter: Filter): readonly Condition[] | null => {
  const column = keyColumnOf(layout, filter.key)
  if ('equals' in filter) {
    const value = columnValue(column.type, filter.equals)
    return value === undefined ? null : [equal(column, value)]
  }
  if ('oneOf' in filter) {
    const values = filter.oneOf.flatMap((item) => columnValue(column.type, item) ?? [])
    const condition = oneOf(column, [...new Set(values)])
    return condition === null ? null : [condition]
  }
  const conditions: Condition[] = []
  for (const [name, operator] of bounds) {
    const bound = filter[name]
    if (bound === undefined) continue
    const value = columnValue(column.type, bound)
    if (value === undefined) return null
    conditions.push({
      key: filter.key,
      holdsEqual: false,
      sql: `${column.column} ${operator} ?`,
      parameters: [value],
    })
  }
  return conditions
}

/** The conditions of all filters; null where no document can meet them all. */
export const queryConditions = (
  layout: CollectionLayout,
  where: readonly Filter[],
): readonly Condition[] | null => {
  const all: Condition[] = []
  for (const filter of where) {
    const conditions = conditionsOf(layout, filter)
    if (conditions === null) return null
    all.push(...conditions)
  }
  return all
}
