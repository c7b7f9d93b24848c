/** A query's filters as conditions in SQL, with the values bound apart from the text. */
import type { Json } from '@publishing-service/domain'
import type { Filter, KeyFilter } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { TextsTable } from './derived-table.js'
import { absentValue, type KeyColumn, type PlainType, quoted } from './key-column.js'

export type Parameter = string | number

/** How a statement names a document's columns, each with its table. */
export type RowNames = {
  readonly instance: string
  readonly sequence: string
  readonly column: (key: string) => string
}

export type Condition = {
  /** The key that it is about; null where it is about several. */
  readonly key: string | null
  /**
   * `equal` leaves the key one value, so that an order by the key says nothing more; a `range` can begin and end a
   * walk through an index by the key; `has` can be walked in the texts' own table; others are tested row by row.
   */
  readonly kind: 'equal' | 'range' | 'has' | 'other'
  readonly sql: (row: RowNames) => string
  readonly parameters: readonly Parameter[]
}

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

export const compared = (
  key: string,
  operator: '=' | '<' | '<=' | '>' | '>=',
  value: Parameter,
): Condition => ({
  key,
  kind: operator === '=' ? 'equal' : 'range',
  sql: ({ column }) => `${column(key)} ${operator} ?`,
  parameters: [value],
})

/** Lists are filled up to a power of two with their last value, so that few statements serve all lengths. */
const oneOf = (key: string, values: readonly Parameter[]): Condition | null => {
  const last = values.at(-1)
  if (last === undefined) return null
  if (values.length === 1) return compared(key, '=', last)
  const length = 2 ** Math.ceil(Math.log2(values.length))
  const parameters = [...values, ...Array.from({ length: length - values.length }, () => last)]
  const places = parameters.map(() => '?').join(', ')
  return { key, kind: 'other', sql: ({ column }) => `${column(key)} IN (${places})`, parameters }
}

const hasText = ({ key, name }: TextsTable, text: string): Condition => ({
  key,
  kind: 'has',
  sql: ({ instance, sequence }) =>
    `EXISTS (SELECT 1 FROM ${quoted(name)} AS listed WHERE listed.instance = ${instance} AND listed.text = ? AND listed.sequence = ${sequence})`,
  parameters: [text.toWellFormed()],
})

const bounds = [
  ['atLeast', '>='],
  ['above', '>'],
  ['below', '<'],
  ['atMost', '<='],
] as const

const keyConditions = (layout: CollectionLayout, filter: KeyFilter): readonly Condition[] | null => {
  if ('has' in filter) {
    const table = textsTableOf(layout, filter.key)
    return filter.has === '' ? null : [hasText(table, filter.has)]
  }
  const { key, type } = keyColumnOf(layout, filter.key)
  if ('equals' in filter) {
    const value = columnValue(type, filter.equals)
    return value === undefined ? null : [compared(key, '=', value)]
  }
  if ('oneOf' in filter) {
    const values = filter.oneOf.flatMap((item) => columnValue(type, item) ?? [])
    const condition = oneOf(key, [...new Set(values)])
    return condition === null ? null : [condition]
  }
  const conditions: Condition[] = []
  for (const [name, operator] of bounds) {
    const bound = filter[name]
    if (bound === undefined) continue
    const value = columnValue(type, bound)
    if (value === undefined) return null
    conditions.push(compared(key, operator, value))
  }
  return conditions
}

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
  return [
    {
      key: null,
      kind: 'other',
      sql: (row) => `(${groups.map((group) => group.map(({ sql }) => sql(row)).join(' AND ')).join(' OR ')})`,
      parameters: groups.flatMap((group) => group.flatMap(({ parameters }) => parameters)),
    },
  ]
}

/** The conditions of all filters; null where no document can meet them all. */
export const queryConditions = (
  layout: CollectionLayout,
  where: readonly Filter[],
): readonly Condition[] | null => {
  const all: Condition[] = []
  for (const filter of where) {
    const conditions = 'anyOf' in filter ? alternatives(layout, filter.anyOf) : keyConditions(layout, filter)
    if (conditions === null) return null
    all.push(...conditions)
  }
  return all
}
