/** The results as tables for people; what isn't measured on this system says so. */
import type { BenchResults } from './run-bench.js'
import type { RowResult } from './measure-row.js'
import { grouped, aligned } from './text-table.js'
import { imagingReport } from './imaging-report.js'
import { loopReport } from './loop/loop-report.js'
import { scaleReport } from './scale/scale-report.js'
import { serversReport } from './servers/servers-report.js'
import type { ServiceResults } from './service-part.js'
import type { Spread } from './spread.js'
import { costTargets, reachesRatio } from './targets.js'

const ratio = ({ least, median, most }: Spread): string =>
  [least, median, most].map((value) => value.toFixed(2)).join(' – ')

const seconds = ({ least, median, most }: Spread): string =>
  `${median.toFixed(2)} s (${least.toFixed(2)} – ${most.toFixed(2)})`

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'not reached')

const processorText = (processor: RowResult['processor']): string =>
  processor.service === null || processor['node:http'] === null
    ? '–'
    : `${grouped(processor.service)} / ${grouped(processor['node:http'])}`

const rowCells = ({
  title,
  target,
  requestsPerSecond,
  ratios,
  latency,
  processor,
}: RowResult): readonly string[] => [
  title,
  grouped(requestsPerSecond.service.median),
  latency.p99.toFixed(1),
  processorText(processor),
  ratio(ratios['node:http']),
  ratio(ratios.Koa),
  target === null ? '' : `${target.toFixed(2)} ${verdict(reachesRatio(target, ratios['node:http']))}`,
]

const rowTable = (rows: readonly RowResult[]): string =>
  aligned(
    [
      ['', 'requests/s', 'p99 ms', 'µs CPU', 'ratio to node:http', 'ratio to Koa', 'target (node:http)'],
      ...rows.map(rowCells),
    ],
    [0, 6],
  )

const sizeCells = (
  title: string,
  bytes: number | null,
  most: number | null,
  missing = 'not told by this system',
): readonly string[] => [
  title,
  bytes === null ? missing : megabytes(bytes),
  bytes === null || most === null ? '' : `${megabytes(most)} ${verdict(bytes <= most)}`,
]

const costTable = ({ starts, memory, dependencies }: ServiceResults): string =>
  aligned(
    [
      ['', '', 'target'],
      [
        'cold start to the first 200',
        seconds(starts.service),
        `${costTargets.startSeconds} s ${verdict(starts.service.median <= costTargets.startSeconds)}`,
      ],
      ['  bare node:http', seconds(starts['node:http']), ''],
      ['  bare Koa', seconds(starts.Koa), ''],
      sizeCells('memory, idle', memory.idle, costTargets.idleBytes),
      sizeCells('memory, peak under all rows', memory.peak, null),
      sizeCells(
        'production dependencies',
        dependencies,
        costTargets.dependencyBytes,
        'not all installed: run npm ci',
      ),
    ],
    [0, 1, 2],
  )

const headline = ({ machine, driver, options }: BenchResults): string =>
  [
    `Node ${machine.node}, ${machine.cores} cores; ${driver.name} ${driver.version}, ${options.connections} connections; ` +
      `${options.rounds} rounds of ${options.seconds} s; ${grouped(options.objects)} objects on SQLite and files.`,
    'Ratios are requests a second of the service to those of a bare server that answers the same bytes, taken in the',
    'same round: least – median – most. µs CPU is processor time an answer, of the service and of bare node:http.',
    'Writes are on the disk before they are answered; no-cache goes past the service’s own cache, to the store.',
    ...(driver.name === 'autocannon'
      ? [
          'autocannon is slower than the bare servers, so its ratios flatter the service: install wrk to compare figures.',
        ]
      : []),
    ...(machine.loadBefore > machine.cores / 2
      ? [`The machine was busy when the bench began (load ${machine.loadBefore.toFixed(1)}).`]
      : []),
  ].join('\n')

/** What `npm run bench` prints. */
export const report = (results: BenchResults): string => {
  const { service, scale, servers, imaging, loop } = results
  return [
    headline(results),
    ...(service === null ? [] : [rowTable(service.rows), costTable(service)]),
    ...(scale === null ? [] : [scaleReport(scale)]),
    ...(servers === null ? [] : [serversReport(servers)]),
    ...(imaging === null ? [] : [imagingReport(imaging)]),
    ...(loop === null ? [] : [loopReport(loop)]),
    '',
  ].join('\n\n')
}
