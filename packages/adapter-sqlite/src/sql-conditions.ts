/** The filters of a query as SQL conditions with parameters. */
import type { CollectionLayout } from './collection-layout.js'
import type { TextsTable } from './derived-table.js'
import type { FilterShape, KeyShape, Operator, RangeSlots, Slot } from './filter-shape.js'
import { type KeyColumn, quoted } from './key-column.js'

/** The slot of the instance among a query's parameters. */
export const instanceSlot: Slot = 0

/** The names of a document's columns in a statement, each with its table. */
export type RowNames = {
  readonly instance: string
  readonly sequence: string
  readonly column: (key: string) => string
}

/** A part of a statement, and the slots of its parameters in their order. */
export type Fragment = {
  readonly sql: (row: RowNames) => string
  readonly slots: readonly Slot[]
}

export type Condition = Fragment & {
  /** The key that the condition tests; null if it tests several. */
  readonly key: string | null
  /**
   * `equal` requires one value of the key, so that an order by the key has no effect. A `range` can bound the scan of an
   * index by the key. `has` and `has in` can be searched in the texts table. `other` is tested row by row.
   */
  readonly kind: 'equal' | 'range' | 'has' | 'has in' | 'other'
  /** How the key compares with the value of a range. */
  readonly operator?: Operator
  /** The condition in the form that lets SQLite's planner use an index for it. */
  readonly search: Fragment
  /** Whether the condition is an FTS5 expression. */
  readonly words?: true
  /** Selects the rows of texts tables that meet the condition, if it is about texts. */
  readonly listed?: { readonly sql: string; readonly slots: readonly Slot[] }
}

/** Groups of conditions, of which at least one must be met completely; `test` is the same as one condition. */
export type Alternatives = {
  readonly groups: readonly (readonly Condition[])[]
  readonly test: Condition
  /** Whether a row can meet several groups. */
  readonly overlap: boolean
}

/** A query's filters: all of `all`, and one group of each of `either`. */
export type Conditions = {
  readonly all: readonly Condition[]
  readonly either: readonly Alternatives[]
}

export const slotsOf = (fragments: readonly Pick<Fragment, 'slots'>[]): readonly Slot[] =>
  fragments.flatMap(({ slots }) => slots)

export const keyColumnOf = (layout: CollectionLayout, key: string): Pick<KeyColumn, 'column'> => {
  const column = layout.keys.get(key) ?? layout.lists.get(key)
  if (column === undefined) throw new Error(`Collection ${layout.name} declares no key ${key}`)
  return column
}

export const textsTableOf = (layout: CollectionLayout, key: string): TextsTable => {
  const table = layout.texts.get(key)
  if (table === undefined) throw new Error(`Collection ${layout.name} declares no key of texts ${key}`)
  return table
}

export const compared = (key: string, operator: Operator, slot: Slot): Condition => {
  const fragment: Fragment = { sql: ({ column }) => `${column(key)} ${operator} ?`, slots: [slot] }
  return { ...fragment, key, kind: operator === '=' ? 'equal' : 'range', operator, search: fragment }
}

const oneOf = (key: string, slots: readonly Slot[]): Condition => {
  const placeholders = slots.map(() => '?').join(', ')
  const fragment: Fragment = { sql: ({ column }) => `${column(key)} IN (${placeholders})`, slots }
  return { ...fragment, key, kind: 'other', search: fragment }
}

/** A condition on the texts of a list; `search` is the condition on its rows of the texts table. */
const listedCondition = (
  layout: CollectionLayout,
  key: string,
  { terms, slots }: { readonly terms: readonly string[]; readonly slots: readonly Slot[] },
): Required<Pick<Condition, 'search' | 'listed'>> => {
  const table = `${quoted(textsTableOf(layout, key).name)} AS listed`
  const where = ['listed.instance = ?', ...terms].join(' AND ')
  const all = [instanceSlot, ...slots]
  return {
    // The subquery does not refer to the document, so that SQLite can run it first.
    search: {
      sql: ({ sequence }) => `${sequence} IN (SELECT listed.sequence FROM ${table} WHERE ${where})`,
      slots: all,
    },
    listed: { sql: `SELECT 1 FROM ${table} WHERE ${where}`, slots: all },
  }
}

const hasText = (layout: CollectionLayout, key: string, slot: Slot): Condition => {
  const texts = `${quoted(textsTableOf(layout, key).name)} AS listed`
  return {
    ...listedCondition(layout, key, { terms: ['listed.text = ?'], slots: [slot] }),
    key,
    kind: 'has',
    sql: ({ instance, sequence }) =>
      `EXISTS (SELECT 1 FROM ${texts} WHERE listed.instance = ${instance} AND listed.text = ? AND listed.sequence = ${sequence})`,
    slots: [slot],
  }
}

/** The conditions that a text is in a range. */
export const inRange = (
  text: string,
  { atLeast, below, endsAbove }: RangeSlots,
): { readonly terms: readonly string[]; readonly slots: readonly Slot[] } => ({
  terms: [
    `${text} >= ?`,
    `${text} < ?`,
    ...(endsAbove === null
      ? []
      : [`instr(${text}, ' ') > 0 AND substr(${text}, instr(${text}, ' ') + 1) > ?`]),
  ],
  slots: [atLeast, below, ...(endsAbove === null ? [] : [endsAbove])],
})

const hasTextIn = (layout: CollectionLayout, key: string, range: RangeSlots): Condition => {
  const { terms, slots } = inRange('entry.value', range)
  return {
    ...listedCondition(layout, key, inRange('listed.text', range)),
    key,
    kind: 'has in',
    sql: ({ column }) =>
      `EXISTS (SELECT 1 FROM json_each(${column(key)}) AS entry WHERE ${terms.join(' AND ')})`,
    slots,
  }
}

/** Documents with words, which are tested and searched like ranges of texts. */
const withWords = ({ name, search }: CollectionLayout, slot: Slot): Condition => {
  if (search === null) throw new Error(`Collection ${name} declares no searched attribute`)
  const { tokens } = search
  const rows = `FROM ${tokens} WHERE ${tokens} MATCH ?`
  return {
    key: null,
    kind: 'has in',
    words: true,
    sql: ({ sequence }) => `EXISTS (SELECT 1 ${rows} AND rowid = ${sequence})`,
    slots: [slot],
    search: { sql: ({ sequence }) => `${sequence} IN (SELECT rowid ${rows})`, slots: [slot] },
    listed: { sql: `SELECT 1 ${rows}`, slots: [slot] },
  }
}

const conditionOf = (layout: CollectionLayout, shape: KeyShape): Condition => {
  if ('hasIn' in shape) return hasTextIn(layout, shape.key, shape.hasIn)
  if ('has' in shape) return hasText(layout, shape.key, shape.has)
  return 'oneOf' in shape ? oneOf(shape.key, shape.oneOf) : compared(shape.key, shape.operator, shape.slot)
}

/** Is met if all conditions of a group are met. */
export const anyOfGroups = (groups: readonly (readonly Fragment[])[]): Fragment => ({
  sql: (row) => `(${groups.map((group) => group.map(({ sql }) => sql(row)).join(' AND ')).join(' OR ')})`,
  slots: slotsOf(groups.flat()),
})

const anyOf = (groups: readonly (readonly Condition[])[]): Condition => {
  const isRange = groups.every((group) => group.every(({ kind }) => kind === 'has in'))
  const listed = groups.flatMap((group) => group.slice(0, 1).flatMap((each) => each.listed ?? []))
  return {
    ...anyOfGroups(groups),
    key: null,
    kind: isRange ? 'has in' : 'other',
    search: anyOfGroups(groups.map((group) => group.map(({ search }) => search))),
    ...(isRange
      ? { listed: { sql: listed.map(({ sql }) => sql).join(' UNION ALL '), slots: slotsOf(listed) } }
      : {}),
  }
}

export const sqlConditions = (layout: CollectionLayout, filters: readonly FilterShape[]): Conditions => {
  const all: Condition[] = []
  const either: Alternatives[] = []
  for (const shape of filters) {
    if ('words' in shape) all.push(withWords(layout, shape.words))
    else if ('anyOf' in shape) {
      const groups = shape.anyOf.map((group) => group.map((each) => conditionOf(layout, each)))
      either.push({ groups, test: anyOf(groups), overlap: true })
    } else if ('oneOf' in shape) {
      const groups = shape.oneOf.map((slot) => [compared(shape.key, '=', slot)])
      either.push({ groups, test: oneOf(shape.key, shape.oneOf), overlap: false })
    } else all.push(conditionOf(layout, shape))
  }
  return { all, either }
}
