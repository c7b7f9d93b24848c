/** What a query's filters ask as conditions in SQL, with the values bound apart from the text. */
import { type Asked, type AskedFilters, type Operator, type Slot, textsTableOf } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { quoted } from './key-column.js'

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
  /** How the key stands to the value of a range. */
  readonly operator?: Operator
  readonly sql: (row: RowNames) => string
  readonly slots: readonly Slot[]
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

export const compared = (key: string, operator: Operator, slot: Slot): Condition => ({
  key,
  kind: operator === '=' ? 'equal' : 'range',
  operator,
  sql: ({ column }) => `${column(key)} ${operator} ?`,
  slots: [slot],
})

const oneOf = (key: string, slots: readonly Slot[]): Condition => ({
  key,
  kind: 'one of',
  sql: ({ column }) => `${column(key)} IN (${slots.map(() => '?').join(', ')})`,
  slots,
})

const hasText = (layout: CollectionLayout, key: string, slot: Slot): Condition => {
  const table = quoted(textsTableOf(layout, key).name)
  return {
    key,
    kind: 'has',
    sql: ({ instance, sequence }) =>
      `EXISTS (SELECT 1 FROM ${table} AS listed WHERE listed.instance = ${instance} AND listed.text = ? AND listed.sequence = ${sequence})`,
    slots: [slot],
  }
}

const conditionOf = (layout: CollectionLayout, asked: Asked): Condition => {
  if ('has' in asked) return hasText(layout, asked.key, asked.has)
  return 'oneOf' in asked ? oneOf(asked.key, asked.oneOf) : compared(asked.key, asked.operator, asked.slot)
}

/** The condition that all of one of the groups hold. */
const anyOf = (groups: readonly (readonly Condition[])[]): Condition => ({
  key: null,
  kind: 'other',
  sql: (row) => `(${groups.map((group) => group.map(({ sql }) => sql(row)).join(' AND ')).join(' OR ')})`,
  slots: groups.flatMap((group) => group.flatMap(({ slots }) => slots)),
})

export const sqlConditions = (layout: CollectionLayout, filters: AskedFilters): Conditions => {
  const all: Condition[] = []
  const either: Alternatives[] = []
  for (const asked of filters) {
    if ('anyOf' in asked) {
      const groups = asked.anyOf.map((group) => group.map((each) => conditionOf(layout, each)))
      either.push({ groups, test: anyOf(groups), overlap: true })
    } else if ('oneOf' in asked) {
      const groups = asked.oneOf.map((slot) => [compared(asked.key, '=', slot)])
      either.push({ groups, test: oneOf(asked.key, asked.oneOf), overlap: false })
    } else all.push(conditionOf(layout, asked))
  }
  return { all, either }
}
