/** What the service is to reach, and which of it a run did not; what wasn't measured is not counted. */
import { reachesImaging } from './measure-imaging.js'
import type { BenchResults } from './run-bench.js'
import type { Spread } from './spread.js'

/** Beside the rows' own targets; a megabyte is a million bytes. */
export const costTargets = { startSeconds: 0.8, idleBytes: 120e6, dependencyBytes: 150e6 } as const

/** Whether the median of a row's ratios to bare node:http is at or over its target. */
export const reachesRatio = (target: number, { median }: Spread): boolean => median >= target

const isOver = (measured: number | null, most: number): boolean => measured !== null && measured > most

type Measured = Pick<BenchResults, 'rows' | 'imaging' | 'starts' | 'memory' | 'dependencies'>

/** The names of what did not reach its target. */
export const missedTargets = ({
  rows,
  imaging,
  starts,
  memory,
  dependencies,
}: Measured): readonly string[] => [
  ...rows
    .filter(({ target, ratios }) => target !== null && !reachesRatio(target, ratios['node:http']))
    .map(({ name }) => name),
  ...imaging.flatMap(({ figures }) =>
    figures.filter((each) => !reachesImaging(each)).map(({ title }) => title),
  ),
  ...(isOver(starts.service.median, costTargets.startSeconds) ? ['cold start'] : []),
  ...(isOver(memory.idle, costTargets.idleBytes) ? ['idle memory'] : []),
  ...(isOver(dependencies, costTargets.dependencyBytes) ? ['production dependencies'] : []),
]
