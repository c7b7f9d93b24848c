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
   * walk through an index by the key, `one of` is some such ranges; `has` can be walked in the texts' own table;
   * others are tested row by row.
   */
  readonly kind: 'equal' | 'range' | 'one of' | 'has' | 'other'
  readonly sql: (row: RowNames) => string
  readonly parameters: readonly Parameter[]
}

/** Conditions of which all of at least one group hold; as one condition they are its test. */
export type Alternatives = {
  readonly groups: readonly (readonly Condition[])[]
  readonly test: Condition
  /** Whether a row can meet several groups. */
  readonly overlap: boolean
}

/** What a query's filters ask: all of these, and one group of each of those. */
export type Conditions = {
  readonly all: readonly Condition[]
  readonly either: readonly Alternatives[]
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
  return { key, kind: 'one of', sql: ({ column }) => `${column(key)} IN (${places})`, parameters }
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

const valuesOf = (type: PlainType, items: readonly Json[]): readonly Parameter[] => [
  ...new Set(items.flatMap((item) => columnValue(type, item) ?? [])),
]

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
    const condition = oneOf(key, valuesOf(type, filter.oneOf))
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

const groupConditions = (
  layout: CollectionLayout,
  group: readonly KeyFilter[],
): readonly Condition[] | null => {
  const conditions = group.map((filter) => keyConditions(layout, filter))
  return conditions.includes(null) ? null : conditions.flatMap((each) => each ?? [])
}

/** The condition that one of the groups holds. */
const anyOf = (groups: readonly (readonly Condition[])[]): Condition => ({
  key: null,
  kind: 'other',
  sql: (row) => `(${groups.map((group) => group.map(({ sql }) => sql(row)).join(' AND ')).join(' OR ')})`,
  parameters: groups.flatMap((group) => group.flatMap(({ parameters }) => parameters)),
})

/** The conditions of all filters; null where no document can meet them all. */
export const queryConditions = (layout: CollectionLayout, where: readonly Filter[]): Conditions | null => {
  const all: Condition[] = []
  const either: Alternatives[] = []
  for (const filter of where) {
    if ('anyOf' in filter) {
      const groups = filter.anyOf.flatMap((group) => {
        const conditions = groupConditions(layout, group)
        return conditions === null ? [] : [conditions]
      })
      const [only] = groups
      if (only === undefined) return null
      if (groups.length === 1) all.push(...only)
      else if (groups.every(({ length }) => length > 0))
        either.push({ groups, test: anyOf(groups), overlap: true })
      continue
    }
    const conditions = keyConditions(layout, filter)
    if (conditions === null) return null
    const [test] = conditions
    if (test?.kind === 'one of' && 'oneOf' in filter) {
      const values = valuesOf(keyColumnOf(layout, filter.key).type, filter.oneOf)
      const groups = values.map((value) => [compared(filter.key, '=', value)])
      either.push({ groups, test, overlap: false })
    } else all.push(...conditions)
  }
  return { all, either }
}
