/** The targets of the service, and those that a run missed. A target that was not measured is not counted. */
import { startRatioOf } from './measure-starts.js'
import type { BenchResults } from './run-bench.js'
import type { ScaleResults } from './scale/scale-part.js'
import { maxGrowth } from './scale/scale-rows.js'
import { missedOnServers } from './servers/servers-report.js'
import type { ServiceResults } from './service-part.js'
import type { Spread } from './spread.js'

/** Beside the rows' own targets; a megabyte is a million bytes. */
export const costTargets = {
  startRatio: 7,
  idleBytes: 125e6,
  peakBytes: 250e6,
} as const

/** Whether the median of a row's ratios to bare node:http is at or over its target. */
export const reachesRatio = (target: number, { median }: Spread): boolean => median >= target

const isOver = (measured: number | null, most: number): boolean => measured !== null && measured > most

type Measured = Pick<BenchResults, 'service' | 'scale' | 'servers'>

const missedByService = ({ rows, starts, memory }: ServiceResults): readonly string[] => [
  ...rows
    .filter(({ target, ratios }) => target !== null && !reachesRatio(target, ratios['node:http']))
    .map(({ name }) => name),
  ...(isOver(startRatioOf(starts), costTargets.startRatio) ? ['cold start'] : []),
  ...(isOver(memory.idle, costTargets.idleBytes) ? ['idle memory'] : []),
  ...(isOver(memory.peak, costTargets.peakBytes) ? ['peak memory'] : []),
]

const missedByScale = ({ rows }: ScaleResults): readonly string[] =>
  rows.filter(({ sizes }) => sizes.some(({ growth }) => growth.median > maxGrowth)).map(({ name }) => name)

/** The names of what did not reach its target. */
export const missedTargets = ({ service, scale, servers }: Measured): readonly string[] => [
  ...(service === null ? [] : missedByService(service)),
  ...(scale === null ? [] : missedByScale(scale)),
  ...(servers === null ? [] : missedOnServers(servers)),
]
