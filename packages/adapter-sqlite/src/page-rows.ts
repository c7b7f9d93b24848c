/**
 * Carries out the plan of a page. Of the ways that a step knows, the one that gives the page with fewer rows read is
 * found by trying: none may cost many times what another would have.
 */
import type { Parameter } from './key-column.js'
import type { PagePlan } from './page-steps.js'
import { type Statement, type Step, triedSlot } from './step-plan.js'

/** id, version, sequence; the values of the order's keys. */
export type PageRow = readonly [string, number, number, ...Parameter[]]

export type ReadLimits = {
  /** Rows that are found and sorted before a walk is even tried. */
  readonly few: number
  /** Rows of a walk that are tried for a page of so many: several for each. */
  readonly tried: (wanted: number) => number
  /** Rows that are found and sorted rather than walked past, at first. */
  readonly sorted: number
}

/** How many times as many rows are found, or walked past, where neither has given the page. */
const growth = 2

type Run = <R extends readonly unknown[]>(sql: string, parameters: readonly Parameter[]) => readonly R[]

/** The rows of a plan's page: so many of them, behind so many. */
export const pageRows =
  (rows: Run, limits: ReadLimits) =>
  ({ steps, values }: PagePlan, wanted: number, skip: number): readonly PageRow[] => {
    const runFor = <R extends readonly unknown[]>(
      tried: Parameter | undefined,
      { sql, slots }: Statement,
      ...more: readonly Parameter[]
    ): readonly R[] =>
      rows<R>(sql, [...slots.map((slot) => (slot === triedSlot ? tried : values[slot]) ?? ''), ...more])
    const run = <R extends readonly unknown[]>(
      asked: Statement,
      ...more: readonly Parameter[]
    ): readonly R[] => runFor(values[triedSlot], asked, ...more)

    const countUpTo = (count: Statement, limit: number): number =>
      run<readonly [number]>(count, limit)[0]?.[0] ?? 0

    const rowsOf = ({ select, careful }: Step, limit: number, offset: number): readonly PageRow[] => {
      if (careful === null) return run<PageRow>(select, limit, offset)
      const { tried, length, finds } = careful
      const findOf = (most: number): Statement | undefined =>
        finds.find((find) => countUpTo(find.length, most) < most)?.select
      /** What the first rows of the walk give, where that is the page: no more fit, or there are no more. */
      const pageOf = (most: number): readonly PageRow[] | undefined => {
        const found = runFor<PageRow>(most, tried, limit, offset)
        return found.length === limit || countUpTo(length, most + 1) <= most ? found : undefined
      }
      const few = findOf(limits.few)
      if (few !== undefined) return run<PageRow>(few, limit, offset)
      const first = pageOf(Number(values[triedSlot]))
      if (first !== undefined) return first
      // Neither way may read many times what the other would.
      for (let most = limits.sorted; ; most *= growth) {
        const find = findOf(most)
        if (find !== undefined) return run<PageRow>(find, limit, offset)
        const page = pageOf(most)
        if (page !== undefined) return page
      }
    }

    const found: PageRow[] = []
    let skipping = skip
    for (const step of steps) {
      const taken = rowsOf(step, wanted - found.length, skipping)
      found.push(...taken)
      if (found.length >= wanted) break
      if (taken.length > 0) skipping = 0
      else if (skipping > 0) skipping -= countUpTo(step.count, skipping)
    }
    return found
  }
