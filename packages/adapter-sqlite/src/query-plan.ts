/**
 * The statements that read a page. If an index in the page's order satisfies all filters, a walk along it reads little
 * more than the page, however many documents there are. If some filters must be tested, most rows may fail them, so
 * there is also a search: SQLite's planner chooses an index for the filters by its statistics, and sorts the rows that it
 * finds. Each has a limit of rows that it reads. There are two searches where a filter is about texts: by the texts, and by
 * the other filters.
 */
import { type Order, rangesAfter } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import type { Slot } from './filter-shape.js'
import { documentRow, indexWalk, type IndexWalk } from './index-walk.js'
import { quoted } from './key-column.js'
import { skipBlocks } from './skip-blocks.js'
import {
  type Alternatives,
  anyOfGroups,
  compared,
  type Condition,
  type Conditions,
  type Fragment,
  instanceSlot,
  type RowNames,
  slotsOf,
} from './sql-conditions.js'

/** Its parameters are those in the slots, followed by the ones that the user of the statement documents. */
export type Statement = { readonly sql: string; readonly slots: readonly Slot[] }

/** A walk reads at most the number of rows in `limitSlot`; a search runs only if `lengths` are below it. */
export type LimitedRead = {
  /** Reads the page. */
  readonly rows: Statement
  /** Each counts the rows to read, up to the limit; the smallest number applies. */
  readonly lengths: readonly Statement[]
}

/**
 * `rows` select id, version, sequence and the keys of the order; limit and offset of the page are the last parameters.
 * `listed` is the walk that first lists all documents with words, and then tests its rows in less time. Its lengths
 * count these documents.
 */
export type QueryPlan =
  | { readonly rows: Statement }
  | {
      readonly walk: LimitedRead
      readonly listed: LimitedRead | null
      readonly searches: readonly LimitedRead[]
    }

/** The slot of the number of rows that a limited read may read. */
export const limitSlot: Slot = 1

/** A part of the rows after a cursor: conditions on the keys, and the sequence number after which it starts. */
type CursorRange = { readonly conditions: readonly Condition[]; readonly after: Slot | null }

/** Walks in the same order, which SQLite merges. */
type Walks = {
  readonly walks: readonly IndexWalk[]
  /** Whether a document can be in several walks. */
  readonly isOverlapping: boolean
  /** The conditions that all walks test. */
  readonly tests: readonly Condition[]
}

/** With more alternatives, a test is cheaper than a walk for each. */
const maxWalks = 64

type Branch = { readonly conditions: readonly Condition[]; readonly walk: IndexWalk }

/**
 * Each branch combined with each group, where every walk then satisfies a condition of its group and all those that the
 * branch satisfied before; otherwise null.
 */
const splitBranches = (
  branches: readonly Branch[],
  { groups }: Alternatives,
  walkOf: (conditions: readonly Condition[]) => IndexWalk | null,
): readonly Branch[] | null => {
  if (branches.length * groups.length > maxWalks) return null
  const parts: Branch[] = []
  for (const branch of branches)
    for (const group of groups) {
      const conditions = [...branch.conditions, ...group]
      const walk = walkOf(conditions)
      const isSatisfied = (each: Condition): boolean => walk?.satisfied.includes(each) === true
      if (walk === null || !group.some(isSatisfied) || !branch.walk.satisfied.every(isSatisfied)) return null
      parts.push({ conditions, walk })
    }
  return parts
}

/** The walks along indexes that have the order; null if none has it. */
const walksOf = (
  layout: CollectionLayout,
  { all, either }: Conditions,
  order: readonly Order[],
  newestFirst: boolean,
): Walks | null => {
  const walkOf = (conditions: readonly Condition[]) => indexWalk(layout, conditions, order, newestFirst)
  const first = walkOf(all)
  if (first === null) return null
  let branches: readonly Branch[] = [{ conditions: all, walk: first }]
  const tested: Condition[] = []
  let isOverlapping = false
  for (const alternatives of either) {
    const parts = splitBranches(branches, alternatives, walkOf)
    if (parts === null) tested.push(alternatives.test)
    else {
      branches = parts
      isOverlapping ||= alternatives.overlap
    }
  }
  const walks = branches.flatMap(({ conditions }) => walkOf([...conditions, ...tested]) ?? [])
  const [only] = walks.length === 1 && order.length === 0 && !newestFirst ? walks : []
  return {
    walks: only === undefined ? walks : [skipBlocks(layout, only)],
    isOverlapping,
    tests: [...all, ...tested].filter((test) => walks.every((walk) => walk.tests.includes(test))),
  }
}

const comparison = ({ direction }: Order): '>' | '<' => (direction === 'asc' ? '>' : '<')

const cursorRanges = (order: readonly Order[], position: readonly Slot[]): readonly CursorRange[] =>
  rangesAfter(order, position).map(({ equal, after }) => ({
    conditions: [
      ...equal.map((slot, i) => compared(order[i]?.key ?? '', '=', slot)),
      ...(after === null ? [] : [compared(after.order.key, comparison(after.order), after.value)]),
    ],
    after: after === null ? (position.at(-1) ?? null) : null,
  }))

/**
 * The rows after a cursor as one condition. The bound of the first key is also a separate condition, so that an index
 * by that key can start there.
 */
const afterCursor = (
  order: readonly Order[],
  position: readonly Slot[],
  newestFirst: boolean,
): readonly Fragment[] => {
  const groups = cursorRanges(order, position).map(({ conditions, after }): readonly Fragment[] =>
    after === null
      ? conditions
      : [
          ...conditions,
          { sql: ({ sequence }) => `${sequence} ${newestFirst ? '<' : '>'} ?`, slots: [after] },
        ],
  )
  const bounds = order
    .slice(0, 1)
    .flatMap((first) =>
      position.slice(0, 1).map((slot) => compared(first.key, `${comparison(first)}=`, slot)),
    )
  return [...bounds, anyOfGroups(groups)]
}

const alias = (key: string): string => quoted(`key ${key}`)

const termsOf = (
  order: readonly Order[],
  column: (key: string) => string,
  insertion: readonly string[],
): string =>
  [...order.map(({ key, direction }) => `${column(key)} ${direction.toUpperCase()}`), ...insertion].join(', ')

const selected = (layout: CollectionLayout, keys: Iterable<string>, row: RowNames): readonly string[] => [
  `${quoted(layout.table)}.id AS id`,
  `${quoted(layout.table)}.version AS version`,
  `${row.sequence} AS sequence`,
  ...Array.from(keys, (key) => `${row.column(key)} AS ${alias(key)}`),
]

const countedUpTo = ({ sql, slots }: Statement): Statement => ({
  sql: `SELECT count(*) FROM (${sql} LIMIT ?)`,
  slots: [...slots, limitSlot],
})

/** Counts the documents that meet the filters on each key, by the index of the key and without the documents. */
const filterLengths = (layout: CollectionLayout, { all, either }: Conditions): readonly Statement[] => {
  const tests = [...all, ...either.map(({ test }) => test)]
  const plain = all.filter(({ listed }) => listed === undefined)
  const byKey = [...new Set(plain.map(({ key }) => key))].map((key) =>
    plain.filter((condition) => condition.key === key),
  )
  const further = either.flatMap(({ test }) => (test.listed === undefined ? [[test]] : []))
  const row = documentRow(layout)
  const ofDocuments = [...byKey, ...further].map((conditions): Statement => {
    const searches = conditions.map(({ search }) => search)
    const where = [`${row.instance} = ?`, ...searches.map(({ sql }) => sql(row))].join(' AND ')
    return {
      sql: `SELECT 1 FROM ${quoted(layout.table)} WHERE ${where}`,
      slots: [instanceSlot, ...slotsOf(searches)],
    }
  })
  return [...tests.flatMap(({ listed }) => listed ?? []), ...ofDocuments].map(countedUpTo)
}

/**
 * The read for which SQLite's planner chooses an index. `+` hides the order from the planner, so that it considers only
 * the filters. The sort needs only the terms of the order: where the index has them, rows after the page are not read
 * from the table.
 */
const searchOf = (
  layout: CollectionLayout,
  { all, either }: Conditions,
  order: readonly Order[],
  position: readonly Slot[] | null,
  newestFirst: boolean,
): Statement => {
  const row = documentRow(layout)
  const fragments: readonly Fragment[] = [
    { sql: ({ instance }) => `${instance} = ?`, slots: [instanceSlot] },
    ...[...all, ...either.map(({ test }) => test)].map(({ search }) => search),
    ...(position === null ? [] : afterCursor(order, position, newestFirst)),
  ]
  const where = fragments.map(({ sql }) => sql(row)).join(' AND ')
  const keys = order.map(({ key }) => key)
  const terms = termsOf(order, (key) => `+${row.column(key)}`, [
    `+${row.sequence}${newestFirst ? ' DESC' : ''}`,
  ])
  return {
    sql: `SELECT ${selected(layout, keys, row).join(', ')} FROM ${quoted(layout.table)} WHERE ${where} ORDER BY ${terms} LIMIT ? OFFSET ?`,
    slots: slotsOf(fragments),
  }
}

/** The tables, columns and parameters that the walks of a page share. */
type WalkedPage = {
  readonly layout: CollectionLayout
  readonly walks: Walks
  readonly keys: readonly string[]
  /** The part of each walk after the cursor; without a cursor, the whole walk. */
  readonly ranges: readonly CursorRange[]
  /** The terms of ORDER BY. */
  readonly terms: string
}

const walkedPage = (
  layout: CollectionLayout,
  walks: Walks,
  order: readonly Order[],
  position: readonly Slot[] | null,
  newestFirst: boolean,
): WalkedPage => {
  const ranges = position === null ? [{ conditions: [], after: null }] : cursorRanges(order, position)
  const [only] = walks.walks.length * ranges.length === 1 ? walks.walks : []
  // In a single walk, the table's own names show SQLite that the index has the order.
  const terms =
    only === undefined
      ? termsOf(order, alias, [newestFirst ? 'sequence DESC' : 'sequence'])
      : termsOf(order, only.row.column, only.insertion)
  return { layout, walks, keys: order.map(({ key }) => key), ranges, terms }
}

/** Reads these columns of the walked rows. The tests that all walks share are not included. */
const walkedRows = (
  { walks: { walks, tests }, ranges }: WalkedPage,
  columns: (row: RowNames) => readonly string[],
  separator: string,
): Statement => {
  const reads = ranges.flatMap(({ conditions, after }) =>
    walks.map((walk): Statement => {
      const own = [...walk.tests.filter((test) => !tests.includes(test)), ...conditions]
      const rest = after === null ? [] : walk.after
      const where = [...walk.where, ...own.map(({ sql }) => sql(walk.row)), ...rest]
      return {
        sql: `SELECT ${columns(walk.row).join(', ')} FROM ${walk.from} WHERE ${where.join(' AND ')}`,
        slots: [...walk.slots, ...slotsOf(own), ...rest.flatMap(() => after ?? [])],
      }
    }),
  )
  return { sql: reads.map(({ sql }) => sql).join(separator), slots: slotsOf(reads) }
}

const union = ({ walks: { isOverlapping } }: WalkedPage): string =>
  isOverlapping ? ' UNION ' : ' UNION ALL '

const unlimitedWalk = (page: WalkedPage): Statement => {
  const { layout, keys, terms } = page
  const { sql, slots } = walkedRows(page, (row) => selected(layout, keys, row), union(page))
  return { sql: `${sql} ORDER BY ${terms} LIMIT ? OFFSET ?`, slots }
}

/** The limit applies to the rows before they are tested. */
const limitedWalk = (page: WalkedPage, tests: readonly Fragment[]): LimitedRead => {
  const { layout, keys, terms } = page
  const read = new Set(keys)
  const row: RowNames = {
    instance: 'walked.instance',
    sequence: 'walked.sequence',
    column: (key) => {
      read.add(key)
      return `walked.${alias(key)}`
    },
  }
  const tested = tests.map(({ sql }) => sql(row)).join(' AND ')
  const walked = walkedRows(
    page,
    (names) => [...selected(layout, read, names), `${names.instance} AS instance`],
    union(page),
  )
  // A row of several walks counts for each: to count it once, SQLite would read all rows first.
  const counted = walkedRows(page, (names) => [names.sequence], ' UNION ALL ')
  return {
    rows: {
      sql: `SELECT ${['id', 'version', 'sequence', ...keys.map(alias)].join(', ')} FROM (${walked.sql} ORDER BY ${terms} LIMIT ?) AS walked WHERE ${tested} LIMIT ? OFFSET ?`,
      slots: [...walked.slots, limitSlot, ...slotsOf(tests)],
    },
    lengths: [countedUpTo(counted)],
  }
}

/** Null if no test is about words. */
const listedWalk = (page: WalkedPage): LimitedRead | null => {
  const { tests } = page.walks
  const words = tests.flatMap((test) => (test.words === true ? (test.listed ?? []) : []))
  if (words.length === 0) return null
  const { rows } = limitedWalk(
    page,
    tests.map((test) => (test.words === true ? test.search : test)),
  )
  return { rows, lengths: words.map(countedUpTo) }
}

type ListKind = 'has' | 'has in'

const conditionsIn = ({ all, either }: Conditions): readonly Condition[] => [
  ...all,
  ...either.map(({ test }) => test),
]

/** The conditions on texts of this kind, and the others. */
const separateLists = (
  { all, either }: Conditions,
  list: ListKind,
): { readonly lists: Conditions; readonly others: Conditions } => {
  const isList = ({ kind }: Condition): boolean => kind === list
  return {
    lists: { all: all.filter(isList), either: either.filter(({ test }) => isList(test)) },
    others: {
      all: all.filter((each) => !isList(each)),
      either: either.filter(({ test }) => !isList(test)),
    },
  }
}

/** A search by other conditions tests the lists of its rows, because more documents may have the texts. */
const withTestedLists = ({ all, either }: Conditions, list: ListKind): Conditions => {
  const tested = (condition: Condition): Condition =>
    condition.kind === list ? { ...condition, search: condition } : condition
  return {
    all: all.map(tested),
    either: either.map((alternatives) => ({ ...alternatives, test: tested(alternatives.test) })),
  }
}

/** `position` contains the slots of the cursor's values: one for each key of the order, and the sequence. */
export const planQuery = (
  layout: CollectionLayout,
  conditions: Conditions,
  order: readonly Order[],
  position: readonly Slot[] | null,
  newestFirst = false,
): QueryPlan => {
  const searchBy = (searched: Conditions): Statement =>
    searchOf(layout, searched, order, position, newestFirst)
  const walks = walksOf(layout, conditions, order, newestFirst)
  if (walks === null) return { rows: searchBy(conditions) }
  const page = walkedPage(layout, walks, order, position, newestFirst)
  if (walks.tests.length === 0) return { rows: unlimitedWalk(page) }
  const search = (searched: Conditions, counted: Conditions): LimitedRead => ({
    rows: searchBy(searched),
    lengths: filterLengths(layout, counted),
  })
  const list = conditionsIn(conditions).some(({ kind }) => kind === 'has in') ? 'has in' : 'has'
  const { lists, others } = separateLists(conditions, list)
  const isSeparate = conditionsIn(lists).length > 0 && conditionsIn(others).length > 0
  return {
    walk: limitedWalk(page, walks.tests),
    listed: listedWalk(page),
    searches: isSeparate
      ? [search(conditions, lists), search(withTestedLists(conditions, list), others)]
      : [search(conditions, conditions)],
  }
}
