/**
 * How one read of a page is done. A walk along an index in the page's order reads little more than the page, unless
 * it tests filters that fail for most of its rows. So a walk with tests is only tried for some rows: an index that
 * finds few rows for one of the filters goes before it, and goes on where it gives no whole page.
 */
import type { Order } from '@publishing-service/ports'
import { alongStretches } from './along-stretches.js'
import type { Slot } from './asked-filters.js'
import type { CollectionLayout } from './collection-layout.js'
import { quoted } from './key-column.js'
import { findsOf, findsOfGroups, type PageSource, slotsOf, walkOf } from './page-source.js'
import type { Alternatives, Condition, Conditions, RowNames } from './sql-conditions.js'

/** A statement, and the slots of the values that stand before those of whoever runs it. */
export type Statement = { readonly sql: string; readonly slots: readonly Slot[] }

/** Where the number of rows stands that a walk is tried for. */
export const triedSlot: Slot = 1

export type Step = {
  /** Selects id, version, sequence, and the order's columns; takes limit and offset. */
  readonly select: Statement
  /** Counts the documents up to a limit, which it takes. */
  readonly count: Statement
  /** Null where the walk tests nothing. */
  readonly careful: {
    /** As `select`, but from the first rows of the walk at most; takes limit and offset. */
    readonly tried: Statement
    /** Counts the rows of the walk up to a limit, which it takes. */
    readonly length: Statement
    /** Other ways to the documents: how many rows each reads, up to a limit, and the same as `select`. */
    readonly finds: readonly { readonly length: Statement; readonly select: Statement }[]
  } | null
}

export type Wanted = {
  /** The keys whose values are selected. */
  readonly order: readonly Order[]
  /** What is to be ordered by, of those. */
  readonly remaining: readonly Order[]
  /** The sequence behind which the read begins. */
  readonly behind: Slot | null
}

/** Walks that SQLite merges into one, as they come in the same order. */
type Walk = {
  readonly sources: readonly PageSource[]
  /** Whether a document can be in several. */
  readonly isOverlapping: boolean
  /** What all of them leave to be tested. */
  readonly tests: readonly Condition[]
}

const alias = (key: string): string => quoted(`key ${key}`)

const statementsFor = (layout: CollectionLayout, { order, remaining, behind }: Wanted) => {
  const documents = quoted(layout.table)

  const filtered = (source: PageSource, tests: readonly Condition[]): Statement => {
    const { from, row, where, slots } = source
    const rest = behind === null ? [] : source.behind
    const conditions = [...where, ...tests.map(({ sql }) => sql(row)), ...rest]
    return {
      sql: `FROM ${from} WHERE ${conditions.join(' AND ')}`,
      slots: [...slots, ...slotsOf(tests), ...rest.flatMap(() => behind ?? [])],
    }
  }

  const terms = (column: (key: string) => string, created: readonly string[]): string =>
    [...remaining.map(({ key, direction }) => `${column(key)} ${direction.toUpperCase()}`), ...created].join(
      ', ',
    )

  /** The rows of a walk with these columns and keys, less those that fail the tests that aren't left out. */
  const rowsOf = (
    { sources, isOverlapping }: Walk,
    columns: (row: RowNames) => readonly string[],
    leftOut: readonly Condition[] = [],
  ): Statement => {
    const reads = sources.map((source): Statement => {
      const { sql, slots } = filtered(
        source,
        source.tests.filter((test) => !leftOut.includes(test)),
      )
      return { sql: `SELECT ${columns(source.row).join(', ')} ${sql}`, slots }
    })
    return {
      sql: reads.map(({ sql }) => sql).join(isOverlapping ? ' UNION ' : ' UNION ALL '),
      slots: slotsOf(reads),
    }
  }

  const named = [`${documents}.id AS id`, `${documents}.version AS version`]
  const keyed =
    (keys: Iterable<string>) =>
    (row: RowNames): readonly string[] => [
      `${row.sequence} AS sequence`,
      ...Array.from(keys, (key) => `${row.column(key)} AS ${alias(key)}`),
    ]
  const keys = order.map(({ key }) => key)
  const shown = (row: RowNames): readonly string[] => [...named, ...keyed(keys)(row)]

  /** Where there is one source, SQLite sees by the table's own names that an index has its order. */
  const ordered = ({ sources: [first, ...others] }: Walk): string =>
    first === undefined || others.length > 0
      ? terms(alias, ['sequence'])
      : terms(first.row.column, first.created)

  const select = (walk: Walk): Statement => {
    const { sql, slots } = rowsOf(walk, shown)
    return { sql: `${sql} ORDER BY ${ordered(walk)} LIMIT ? OFFSET ?`, slots }
  }

  const counting = ({ sql, slots }: Statement): Statement => ({
    sql: `SELECT count(*) FROM (${sql} LIMIT ?)`,
    slots,
  })

  /** The tests stand outside of what the limit cuts, which SQLite gives row by row in its order. */
  const tried = (walk: Walk): Statement => {
    const read = new Set(keys)
    const row: RowNames = {
      instance: 'walked.instance',
      sequence: 'walked.sequence',
      column: (key) => {
        read.add(key)
        return `walked.${alias(key)}`
      },
    }
    const tests = walk.tests.map(({ sql }) => sql(row)).join(' AND ')
    const instance = (walked: RowNames): readonly string[] => [`${walked.instance} AS instance`]
    const { sql, slots } = rowsOf(
      walk,
      (walked) => [...named, ...instance(walked), ...keyed(read)(walked)],
      walk.tests,
    )
    const outside = ['id', 'version', 'sequence', ...keys.map(alias)].join(', ')
    return {
      sql: `SELECT ${outside} FROM (${sql} ORDER BY ${ordered(walk)} LIMIT ?) AS walked WHERE ${tests} LIMIT ? OFFSET ?`,
      slots: [...slots, triedSlot, ...slotsOf(walk.tests)],
    }
  }

  const sequence = (row: RowNames): readonly string[] => [row.sequence]

  return {
    select,
    tried,
    count: (walk: Walk) => counting(rowsOf(walk, sequence)),
    // A row that several walks read counts for each: to tell them apart SQLite would read all of them first.
    length: (walk: Walk) => counting(rowsOf({ ...walk, isOverlapping: false }, sequence, walk.tests)),
  }
}

/** From so many walks in one on, a test is cheaper. */
const mostWalks = 64

type Branch = { readonly conditions: readonly Condition[]; readonly source: PageSource }

/**
 * The branches with each of the groups, where every walk then settles something of its group and no less of the rest;
 * null where one doesn't.
 */
const split = (
  branches: readonly Branch[],
  { groups }: Alternatives,
  sourceOf: (conditions: readonly Condition[]) => PageSource,
): readonly Branch[] | null => {
  if (branches.length * groups.length > mostWalks) return null
  const parts = branches.flatMap((branch) =>
    groups.map((group) => {
      const conditions = [...branch.conditions, ...group]
      return { branch, group, conditions, source: sourceOf(conditions) }
    }),
  )
  const isBetter = parts.every(
    ({ branch, group, source: { settled } }) =>
      group.some((condition) => settled.includes(condition)) &&
      branch.source.settled.every((condition) => settled.includes(condition)),
  )
  return isBetter ? parts : null
}

export const planStep = (layout: CollectionLayout, { all, either }: Conditions, wanted: Wanted): Step => {
  const statements = statementsFor(layout, wanted)
  const sourceOf = (conditions: readonly Condition[]): PageSource =>
    walkOf(layout, conditions, wanted.remaining)
  let branches: readonly Branch[] = [{ conditions: all, source: sourceOf(all) }]
  const tested: Condition[] = []
  let isOverlapping = false
  for (const alternatives of either) {
    const parts = split(branches, alternatives, sourceOf)
    if (parts === null) tested.push(alternatives.test)
    else {
      branches = parts
      isOverlapping ||= alternatives.overlap
    }
  }
  const sources = branches.map(({ conditions }) => sourceOf([...conditions, ...tested]))
  const common = [...all, ...tested]
  const tests = common.filter((condition) => sources.every((source) => source.tests.includes(condition)))
  const [only] = sources.length === 1 && wanted.order.length === 0 ? sources : []
  const walk: Walk = {
    sources: only === undefined ? sources : [alongStretches(layout, only)],
    isOverlapping,
    tests,
  }
  // What alternatives were split into are tests again, where an index finds rows by others.
  const conditions = [...all, ...either.map(({ test }) => test)]
  const settled = conditions.filter((condition) =>
    sources.every((source) => source.settled.includes(condition)),
  )
  const walkFrom = (found: readonly PageSource[]): Walk => ({
    sources: found,
    isOverlapping: found.length > 1,
    tests: conditions.filter((condition) => found.every((each) => each.tests.includes(condition))),
  })
  const finds = [
    ...findsOf(layout, conditions, settled).map((source) => walkFrom([source])),
    ...either
      .filter(({ test, overlap, groups }) => overlap && groups.length <= mostWalks && tested.includes(test))
      .flatMap((alternatives) => {
        const others = conditions.filter((condition) => condition !== alternatives.test)
        const found = findsOfGroups(layout, others, alternatives)
        return found === null ? [] : [walkFrom(found)]
      }),
  ]
  return {
    select: statements.select(walk),
    count: statements.count(walk),
    careful:
      tests.length === 0 || sources.some(({ inOrder }) => !inOrder)
        ? null
        : {
            tried: statements.tried(walk),
            length: statements.length(walk),
            finds: finds.map((find) => ({
              length: statements.length(find),
              select: statements.select(find),
            })),
          },
  }
}
