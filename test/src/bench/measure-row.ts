/** Measures one row: rounds that alternate between the service and the baseline servers. */
import { expectationOf, measureLoad, runLoad, sample, type LoadSetup, type Measured } from './measure-load.js'
import type { Row } from './rows.js'
import { type Baseline, type BaselineName, type Served, type ServerName } from './served.js'
import { spreadOf, type Spread } from './spread.js'

export type RowSetup = LoadSetup & {
  readonly service: Served
  readonly baselines: readonly Baseline[]
  readonly rounds: number
  readonly progress: (text: string) => void
}

export type RowResult = {
  readonly name: string
  readonly title: string
  readonly target: number | null
  readonly requestsPerSecond: Readonly<Record<ServerName, Spread>>
  /** The service's requests a second divided by a baseline server's of the same round. */
  readonly ratios: Readonly<Record<BaselineName, Spread>>
  /** Milliseconds, of the service: the median over the rounds. */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Microseconds of processor time an response, all threads together. */
  readonly processor: Readonly<Record<ServerName, number | null>>
}

type Rounds = Readonly<Record<ServerName, readonly Measured[]>>

const rateOf = ({ requests, seconds }: Measured): number => requests / seconds

const ratioTo = (rounds: Rounds, baseline: BaselineName): Spread =>
  spreadOf(
    rounds.service.map((each, round) => {
      const bare = rounds[baseline][round]
      return bare === undefined ? Number.NaN : rateOf(each) / rateOf(bare)
    }),
  )

const resultOf = ({ name, title, target }: Row, rounds: Rounds): RowResult => {
  const medianOf = (values: readonly number[]): number => spreadOf(values).median
  const processorOf = (server: ServerName): number | null => {
    const values = rounds[server].flatMap(({ processor }) => (processor === null ? [] : [processor]))
    return values.length === 0 ? null : medianOf(values)
  }
  const perServer = <A>(value: (server: ServerName) => A): Readonly<Record<ServerName, A>> => ({
    service: value('service'),
    'node:http': value('node:http'),
  })
  return {
    name,
    title,
    target,
    requestsPerSecond: perServer((server) => spreadOf(rounds[server].map(rateOf))),
    ratios: { 'node:http': ratioTo(rounds, 'node:http') },
    latency: {
      median: medianOf(rounds.service.map(({ latency }) => latency.median)),
      p99: medianOf(rounds.service.map(({ latency }) => latency.p99)),
    },
    processor: perServer(processorOf),
  }
}

/** The servers in the order of a round: each comes first in its turn, so that none always runs on a warmer machine. */
const rotated = (servers: readonly Served[], round: number): readonly Served[] => {
  const first = round % servers.length
  return [...servers.slice(first), ...servers.slice(0, first)]
}

export const measureRow = async (setup: RowSetup, row: Row): Promise<RowResult> => {
  const reference = await sample(setup, row, setup.service, null)
  const expected = expectationOf(reference, row)
  for (const baseline of setup.baselines) await baseline.answerWith(reference)
  const servers: readonly Served[] = [setup.service, ...setup.baselines]
  for (const server of servers) await runLoad(setup, row, server, expected, setup.seconds / 4)
  const rounds: Record<ServerName, Measured[]> = { service: [], 'node:http': [] }
  for (let round = 0; round < setup.rounds; round += 1) {
    setup.progress(`${row.title}: round ${round + 1} of ${setup.rounds}`)
    for (const server of rotated(servers, round))
      rounds[server.name].push(await measureLoad(setup, row, server, expected))
  }
  return resultOf(row, rounds)
}
