import { aligned } from '../text-table.js'
import type { LoopRow } from './loop-part.js'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const cells = ({
  title,
  median,
  p99,
  longest,
  responses,
  largest,
  peak,
  isAlive,
}: LoopRow): readonly string[] => [
  title,
  ...[median, p99, longest].map((value) => value.toFixed(1)),
  Object.entries(responses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', '),
  megabytes(largest),
  isAlive ? (peak === null ? '–' : megabytes(peak)) : 'died',
]

/** How long `/health/live` took while ten clients sent each hostile request. */
export const loopReport = (rows: readonly LoopRow[]): string =>
  [
    'Milliseconds of /health/live while ten clients send nothing but one hostile request; MB of the largest response, and',
    'of memory at the peak.',
    '',
    aligned([['', 'median', 'p99', 'longest', 'responses', 'largest', 'memory'], ...rows.map(cells)], [0, 4]),
  ].join('\n')
