/**
 * How one read of a page is done. Filters that the walk along an index only tests may fail for most of its rows, so
 * such a walk is tried for some rows first; where that gives no whole page, an index that finds few rows for one of
 * the filters goes before, and only where none does is the walk done to its end.
 */
import type { Order } from '@publishing-service/ports'
import type { CollectionLayout } from './collection-layout.js'
import { quoted } from './key-column.js'
import { findsOf, type PageSource, walkOf } from './page-source.js'
import type { Alternatives, Condition, Conditions, Parameter, RowNames } from './query-conditions.js'

/** A statement, and the parameters that stand before those of whoever runs it. */
export type Statement = { readonly sql: string; readonly parameters: readonly Parameter[] }

export type Step = {
  /** Selects id, version, sequence, and the order's columns; takes limit and offset. */
  readonly select: Statement
  /** Counts the documents up to a limit, which it takes. */
  readonly count: Statement
  /** Null where the walk tests nothing, and so reads little more than the page. */
  readonly careful: {
    /** As `select`, but from so many rows of the walk at most; takes limit and offset. */
    readonly tried: (rows: number) => Statement
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
  readonly behind: number | null
}

/** From so many walks in one on, a test is cheaper. */
const mostBranches = 64

const parametersOf = (conditions: readonly Condition[]): readonly Parameter[] =>
  conditions.flatMap(({ parameters }) => parameters)

const filtered = (source: PageSource, tests: readonly Condition[], behind: number | null): Statement => {
  const { from, row, where, parameters } = source
  const all = [
    ...where,
    ...tests.map(({ sql }) => sql(row)),
    ...(behind === null ? [] : [`${row.sequence} > ?`]),
  ]
  return {
    sql: `FROM ${from} WHERE ${all.join(' AND ')}`,
    parameters: [...parameters, ...parametersOf(tests), ...(behind === null ? [] : [behind])],
  }
}

const orderedBy = (row: RowNames, remaining: readonly Order[]): string =>
  [
    ...remaining.map(({ key, direction }) => `${row.column(key)} ${direction.toUpperCase()}`),
    row.sequence,
  ].join(', ')

const counting = ({ sql, parameters }: Statement): Statement => ({
  sql: `SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ?)`,
  parameters,
})

const stepsOf = (layout: CollectionLayout, { order, remaining, behind }: Wanted) => {
  const documents = quoted(layout.table)
  const named = [`${documents}.id`, `${documents}.version`]
  const columns = (row: RowNames): string =>
    [...named, row.sequence, ...order.map(({ key }) => row.column(key))].join(', ')

  const rows = (source: PageSource): Statement => {
    const { sql, parameters } = filtered(source, source.tests, behind)
    return { sql: `SELECT ${columns(source.row)} ${sql}`, parameters }
  }

  const sorted = (source: PageSource): Statement => {
    const { sql, parameters } = rows(source)
    return { sql: `${sql} ORDER BY ${orderedBy(source.row, remaining)} LIMIT ? OFFSET ?`, parameters }
  }

  /** The tests stand outside of what the limit cuts, which SQLite reads row by row in its order. */
  const tried =
    (source: PageSource) =>
    (limit: number): Statement => {
      const keys = new Set(order.map(({ key }) => key))
      const alias = (key: string): string => quoted(`key ${key}`)
      const row: RowNames = {
        instance: 'walked.instance',
        sequence: 'walked.sequence',
        column: (key) => {
          keys.add(key)
          return `walked.${alias(key)}`
        },
      }
      const tests = source.tests.map(({ sql }) => sql(row)).join(' AND ')
      const walked = filtered(source, [], behind)
      const read = [
        `${documents}.id AS id`,
        `${documents}.version AS version`,
        `${source.row.sequence} AS sequence`,
        `${source.row.instance} AS instance`,
        ...[...keys].map((key) => `${source.row.column(key)} AS ${alias(key)}`),
      ].join(', ')
      const shown = ['id', 'version', 'sequence', ...order.map(({ key }) => alias(key))]
      return {
        sql: `SELECT ${shown.join(', ')} FROM (SELECT ${read} ${walked.sql} ORDER BY ${orderedBy(source.row, remaining)} LIMIT ?) AS walked WHERE ${tests} LIMIT ? OFFSET ?`,
        parameters: [...walked.parameters, limit, ...parametersOf(source.tests)],
      }
    }

  /** One walk that several make together; SQLite merges what comes in the same order. */
  const merged = (sources: readonly PageSource[], isOverlapping: boolean): Statement => {
    const all = sources.map(rows)
    const terms = remaining.map(
      ({ key, direction }) => `${4 + order.findIndex((each) => each.key === key)} ${direction.toUpperCase()}`,
    )
    const union = isOverlapping ? ' UNION ' : ' UNION ALL '
    return {
      sql: `${all.map(({ sql }) => sql).join(union)} ORDER BY ${[...terms, '3'].join(', ')}`,
      parameters: all.flatMap(({ parameters }) => parameters),
    }
  }

  return {
    rows,
    sorted,
    tried,
    merged,
    length: (source: PageSource) => counting(filtered(source, [], behind)),
  }
}

type Branch = { readonly conditions: readonly Condition[]; readonly walk: PageSource }

/**
 * The branches with each of the groups, where every walk then settles something of its group and no less of the rest;
 * null where one doesn't.
 */
const split = (
  branches: readonly Branch[],
  { groups }: Alternatives,
  walk: (conditions: readonly Condition[]) => PageSource,
): readonly Branch[] | null => {
  if (branches.length * groups.length > mostBranches) return null
  const parts = branches.flatMap((branch) =>
    groups.map((group) => {
      const conditions = [...branch.conditions, ...group]
      return { branch, group, conditions, walk: walk(conditions) }
    }),
  )
  const isBetter = parts.every(
    ({ branch, group, walk: { settled } }) =>
      group.some((condition) => settled.includes(condition)) &&
      branch.walk.settled.every((condition) => settled.includes(condition)),
  )
  return isBetter ? parts : null
}

export const planStep = (
  layout: CollectionLayout,
  instance: number,
  { all, either }: Conditions,
  wanted: Wanted,
): Step => {
  const { sorted, tried, merged, length } = stepsOf(layout, wanted)
  const walk = (conditions: readonly Condition[]): PageSource =>
    walkOf(layout, instance, conditions, wanted.remaining)
  let branches: readonly Branch[] = [{ conditions: all, walk: walk(all) }]
  const tested: Condition[] = []
  let isOverlapping = false
  for (const alternatives of either) {
    const parts = split(branches, alternatives, walk)
    if (parts === null) tested.push(alternatives.test)
    else {
      branches = parts
      isOverlapping ||= alternatives.overlap
    }
  }
  const sources = branches.map(({ conditions }) => walk([...conditions, ...tested]))
  const [source] = sources
  if (source === undefined || sources.length > 1) {
    const { sql, parameters } = merged(sources, isOverlapping)
    return {
      select: { sql: `${sql} LIMIT ? OFFSET ?`, parameters },
      count: { sql: `SELECT count(*) FROM (${sql} LIMIT ?)`, parameters },
      careful: null,
    }
  }
  const conditions = [...all, ...tested]
  return {
    select: sorted(source),
    count: counting(filtered(source, source.tests, wanted.behind)),
    careful:
      source.tests.length === 0 || !source.inOrder
        ? null
        : {
            tried: tried(source),
            length: length(source),
            finds: findsOf(layout, instance, conditions, source).map((find) => ({
              length: length(find),
              select: sorted(find),
            })),
          },
  }
}
