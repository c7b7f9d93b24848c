/** Reads the rows of a page by its plan. */
import type { Parameter } from './key-column.js'
import type { PagePlan } from './page-planner.js'
import { type LimitedRead, limitSlot, type Statement } from './query-plan.js'

/** id, version, sequence; the values of the order's keys. */
export type PageRow = readonly [string, number, number, ...Parameter[]]

/** Runs a statement and returns its rows. */
export type ReadRows = <R extends readonly unknown[]>(
  sql: string,
  parameters: readonly Parameter[],
) => readonly R[]

/** The factor from the row limit of a walk to that of the search after it, and of the next walk. */
const limitGrowth = 8

/** The documents with words that SQLite lists in the time of one test by FTS5. */
const listedPerTest = 200

/** SQLite's value for no limit. */
const unlimited = -1

/**
 * Walk and search alternate with increasing limits until one returns the page. The cost is therefore at most a few times
 * that of the better one. A search reads all rows that it finds, whereas a walk ends with the page. So a search longer
 * than the first runs only if it finds fewer rows than the walk is expected to need, by the share of rows that have
 * met the tests so far. `firstLimit` returns how many rows the first walk with tests may read for a page of `wanted` rows.
 */
export const pageRowsReader =
  (rows: ReadRows, firstLimit: (wanted: number) => number) =>
  ({ plan, values }: PagePlan, limit: number, offset: number): readonly PageRow[] => {
    const run = <R extends readonly unknown[]>(
      { sql, slots }: Statement,
      most: number,
      ...more: readonly number[]
    ): readonly R[] => {
      const parameters = slots.map((slot) => (slot === limitSlot ? most : (values[slot] ?? '')))
      return rows<R>(sql, [...parameters, ...more])
    }
    if ('rows' in plan) return run<PageRow>(plan.rows, unlimited, limit, offset)
    const { walk, listed, searches } = plan
    const isWithin = ({ lengths }: LimitedRead, most: number): boolean =>
      lengths.some((length) => (run<readonly [number]>(length, most)[0]?.[0] ?? 0) < most)
    const first = firstLimit(limit + offset)
    for (let most = first; ; most *= limitGrowth) {
      const isListed = listed !== null && isWithin(listed, most * listedPerTest)
      const walked = run<PageRow>(isListed ? listed.rows : walk.rows, most, limit, offset)
      if (walked.length === limit || isWithin(walk, most)) return walked
      const expected = walked.length === 0 ? Infinity : (most * (offset + limit)) / (offset + walked.length)
      const found = Math.min(most * limitGrowth, Math.max(first * limitGrowth, Math.ceil(expected)))
      const search = searches.find((each) => isWithin(each, found))
      if (search !== undefined) return run<PageRow>(search.rows, found, limit, offset)
    }
  }
