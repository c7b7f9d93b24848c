/** The results as tables. */
import type { BenchResults } from './run-bench.js'
import type { RowResult } from './measure-row.js'
import { grouped, aligned, verdict } from './text-table.js'
import { scaleReport } from './scale/scale-report.js'
import { serversReport } from './servers/servers-report.js'
import type { ServiceResults } from './service-part.js'
import { spreadText, type Spread } from './spread.js'
import { startRatioOf } from './measure-starts.js'
import { costTargets, reachesRatio } from './targets.js'

const seconds = ({ least, median, most }: Spread): string =>
  `${median.toFixed(2)} s (${least.toFixed(2)} – ${most.toFixed(2)})`

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

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
  spreadText(ratios['node:http']),
  target === null ? '' : `${target.toFixed(2)} ${verdict(reachesRatio(target, ratios['node:http']))}`,
]

const rowTable = (rows: readonly RowResult[]): string =>
  aligned(
    [
      ['', 'requests/s', 'p99 ms', 'µs CPU', 'ratio to node:http', 'target (node:http)'],
      ...rows.map(rowCells),
    ],
    [0, 5],
  )

const sizeCells = (title: string, bytes: number | null, most: number): readonly string[] => [
  title,
  bytes === null ? 'unknown on this system' : megabytes(bytes),
  bytes === null ? '' : `${megabytes(most)} ${verdict(bytes <= most)}`,
]

const costTable = ({ starts, memory }: ServiceResults): string =>
  aligned(
    [
      ['', '', 'target'],
      [
        'cold start to the first 200',
        seconds(starts.service),
        `${costTargets.startRatio} × node:http ${verdict(startRatioOf(starts) <= costTargets.startRatio)}`,
      ],
      ['  bare node:http', seconds(starts['node:http']), ''],
      sizeCells('memory, idle', memory.idle, costTargets.idleBytes),
      sizeCells('memory, peak under all rows', memory.peak, costTargets.peakBytes),
    ],
    [0, 1, 2],
  )

const headline = ({ machine, wrkVersion, options }: BenchResults): string =>
  [
    `Node ${machine.node}, ${machine.cores} cores; wrk ${wrkVersion}, ${options.connections} connections; ` +
      `${options.rounds} rounds of ${options.seconds} s; ${grouped(options.objects)} objects on SQLite and files.`,
    'Ratios: requests per second of the service, divided by those of a baseline server that sends the same bytes in the',
    'same round: minimum – median – maximum. µs CPU: processor time per response, of the service and of node:http.',
    'Durable: the response is sent after the write is on the disk. Uncached: without the response cache.',
    ...(machine.loadBefore > machine.cores / 2
      ? [`The machine was busy at the start of the benchmark (load ${machine.loadBefore.toFixed(1)}).`]
      : []),
  ].join('\n')

/** What `npm run bench` prints. */
export const report = (results: BenchResults): string => {
  const { service, scale, servers } = results
  return [
    headline(results),
    ...(service === null ? [] : [rowTable(service.rows), costTable(service)]),
    ...(scale === null ? [] : [scaleReport(scale)]),
    ...(servers === null ? [] : [serversReport(servers)]),
    '',
  ].join('\n\n')
}
