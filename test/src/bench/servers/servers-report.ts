/** The results on real servers as tables. */
import { spreadText } from '../spread.js'
import { aligned, verdict } from '../text-table.js'
import type { BlobResult, MemoryResult } from './measure-blobs.js'
import type { ReadResult } from './measure-reads.js'
import type { ServersResults } from './servers-part.js'

/** What is to be reached: time of reads, throughput of blobs, bytes that uploads add. */
export const serverTargets = { mostCost: 1.3, leastThroughput: 0.7, mostBytes: 150e6 } as const

const readLine = ({ title, requestsPerSecond: { service, bare }, cost }: ReadResult): readonly string[] => [
  title,
  service.median.toFixed(0),
  bare.median.toFixed(0),
  spreadText(cost),
  `at most ${serverTargets.mostCost} ${verdict(cost.median <= serverTargets.mostCost)}`,
]

const blobLine = ({ title, throughput, ratio: of, relayRatio }: BlobResult): readonly string[] => [
  title,
  (throughput.service.median / 1e6).toFixed(0),
  (throughput.client.median / 1e6).toFixed(0),
  spreadText(relayRatio),
  spreadText(of),
  `at least ${serverTargets.leastThroughput} ${verdict(of.median >= serverTargets.leastThroughput)}`,
]

const memoryText = ({ uploads, size, added }: MemoryResult): string => {
  const what = `${uploads} uploads of ${size / 1e6} MB at once`
  return added === null
    ? `${what}: this system doesn’t tell what memory they take.`
    : `${what} add ${Math.round(added / 1e6)} MB at most; at most ${serverTargets.mostBytes / 1e6} MB ${verdict(added <= serverTargets.mostBytes)}.`
}

export const serversReport = ({ reads, blobs, memory, leftOut }: ServersResults): string =>
  [
    ...(leftOut === null ? [] : [`Left out: ${leftOut.names.join(', ')}. ${leftOut.reason}`]),
    ...(reads.length === 0
      ? []
      : [
          'On MongoDB’s protocol: the service, and a bare node:http that makes the same queries with the driver alone.\n\n' +
            aligned([['', 'requests/s', 'bare', 'time to bare', 'target'], ...reads.map(readLine)], [0, 4]),
        ]),
    ...(blobs.length === 0
      ? []
      : [
          'On MinIO: through the service, through a bare node:http that passes on what MinIO’s own client reads and\n' +
            'writes, and with that client straight to the server. The client of downloads is a socket without\n' +
            'HTTP parsing, because it shares the cores with the service.\n\n' +
            aligned(
              [
                ['', 'MB/s', 'client', 'bare to client', 'service to client', 'target'],
                ...blobs.map(blobLine),
              ],
              [0, 5],
            ),
        ]),
    ...(memory === null ? [] : [memoryText(memory)]),
  ].join('\n\n')

/** The names of rows that did not reach what they are to. */
export const missedOnServers = ({ reads, blobs, memory }: ServersResults): readonly string[] => [
  ...reads.filter(({ cost }) => cost.median > serverTargets.mostCost).map(({ name }) => name),
  ...blobs.filter((each) => each.ratio.median < serverTargets.leastThroughput).map(({ name }) => name),
  ...((memory?.added ?? 0) > serverTargets.mostBytes ? ['servers-memory'] : []),
]
