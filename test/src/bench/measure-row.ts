/**
 * Measures one row: rounds in which the service and the bare servers take turns, each answer judged by the driver,
 * and samples judged in full before, during and after each of them. Rejects with WrongAnswer where one is wrong.
 */
import type { Agent } from 'node:http'
import { exchange, type Answer } from './exchange.js'
import type { Read } from './judge-answer.js'
import { shortened, type Expectation, type LoadDriver, type LoadResult } from './load-driver.js'
import { processorSecondsOf } from './process-use.js'
import type { Row } from './rows.js'
import { type Floor, type FloorName, type Served, type ServerName } from './served.js'
import { spreadOf, type Spread } from './spread.js'
import { requestAt, type Request } from './traffic.js'

export class WrongAnswer extends Error {}

export type Stage = {
  readonly service: Served
  readonly floors: readonly Floor[]
  readonly driver: LoadDriver
  readonly agent: Agent
  readonly read: Read
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
  readonly nextSerial: (count: number) => number
  readonly progress: (text: string) => void
}

type Measured = LoadResult & {
  /** Microseconds of processor time that the server spent on each answer; null where the system doesn't tell. */
  readonly processor: number | null
}

export type RowResult = {
  readonly name: string
  readonly title: string
  readonly target: number | null
  readonly requestsPerSecond: Readonly<Record<ServerName, Spread>>
  /** The service's requests a second divided by a bare server's of the same round. */
  readonly ratios: Readonly<Record<FloorName, Spread>>
  /** Milliseconds, of the service: the median over the rounds. */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Microseconds of processor time an answer, all threads together. */
  readonly processor: Readonly<Record<ServerName, number | null>>
}

/** More serials than any server answers requests in one load. */
const serialsPerLoad = 100_000_000
/** Between two samples while the load runs, in milliseconds. */
const sampleInterval = 400

const expectationOf = ({ status, body }: Answer, { spread }: Row): Expectation => ({
  status,
  leastBytes: body.length - (spread ?? 0),
  mostBytes: body.length + (spread ?? 0),
  body: spread === null ? body : null,
})

const meets = ({ status, body }: Answer, expected: Expectation): boolean =>
  status === expected.status &&
  body.length >= expected.leastBytes &&
  body.length <= expected.mostBytes &&
  (expected.body === null || expected.body.equals(body))

const ask = (server: Served, request: Request, agent: Agent): Promise<Answer> =>
  exchange(server.url, request, agent)

/** One answer, judged in full where the service gave it. */
const sample = async (
  stage: Stage,
  row: Row,
  server: Served,
  expected: Expectation | null,
): Promise<Answer> => {
  const request = requestAt(row.traffic, stage.nextSerial(1))
  const answer = await ask(server, request, stage.agent)
  const fault = server.name === 'service' ? await row.judge(answer, request, stage.read) : null
  const differs = expected !== null && !meets(answer, expected)
  if (fault !== null || differs)
    throw new WrongAnswer(
      `${row.title}, ${server.name}: ${fault ?? `not as the first answer: ${shortened(answer.status, answer.body.toString('latin1'))}`}`,
    )
  return answer
}

/** Samples until the load has ended. */
const sampleDuring = async (
  stage: Stage,
  row: Row,
  server: Served,
  expected: Expectation,
  isOver: () => boolean,
): Promise<void> => {
  while (!isOver()) {
    await sample(stage, row, server, expected)
    await new Promise((resolve) => {
      setTimeout(resolve, sampleInterval)
    })
  }
}

const checkCounts = (row: Row, server: Served, { requests, wrong, firstWrong, broken }: LoadResult): void => {
  const where = `${row.title}, ${server.name}`
  if (wrong > 0)
    throw new WrongAnswer(`${where}: ${wrong} answers were wrong, the first ${firstWrong ?? 'unknown'}`)
  if (broken > 0) throw new WrongAnswer(`${where}: ${broken} requests had no answer`)
  if (requests === 0) throw new WrongAnswer(`${where}: no request was answered`)
}

const runLoad = async (
  stage: Stage,
  row: Row,
  server: Served,
  expected: Expectation,
  seconds: number,
): Promise<LoadResult> => {
  let isOver = false
  const load = stage.driver
    .run({
      url: server.url,
      traffic: row.traffic,
      expected,
      firstSerial: stage.nextSerial(serialsPerLoad),
      connections: stage.connections,
      seconds,
    })
    .finally(() => {
      isOver = true
    })
  const [result] = await Promise.all([load, sampleDuring(stage, row, server, expected, () => isOver)])
  checkCounts(row, server, result)
  return result
}

/** One server's part of a round. */
const measureServer = async (
  stage: Stage,
  row: Row,
  server: Served,
  expected: Expectation,
): Promise<Measured> => {
  const count = server.name === 'service' ? row.count : undefined
  await sample(stage, row, server, expected)
  const before = await count?.(stage.read)
  const processorBefore = await processorSecondsOf(server.pid)
  const result = await runLoad(stage, row, server, expected, stage.seconds)
  const processorAfter = await processorSecondsOf(server.pid)
  const after = await count?.(stage.read)
  await sample(stage, row, server, expected)
  if (before !== undefined && after !== undefined && after - before < result.requests)
    throw new WrongAnswer(`${row.title}: ${result.requests} were acknowledged, ${after - before} are there`)
  const processor =
    processorBefore === null || processorAfter === null
      ? null
      : ((processorAfter - processorBefore) * 1e6) / result.requests
  return { ...result, processor }
}

type Rounds = Readonly<Record<ServerName, readonly Measured[]>>

const rateOf = ({ requests, seconds }: Measured): number => requests / seconds

const ratioTo = (rounds: Rounds, floor: FloorName): Spread =>
  spreadOf(
    rounds.service.map((each, round) => {
      const bare = rounds[floor][round]
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
    Koa: value('Koa'),
  })
  return {
    name,
    title,
    target,
    requestsPerSecond: perServer((server) => spreadOf(rounds[server].map(rateOf))),
    ratios: { 'node:http': ratioTo(rounds, 'node:http'), Koa: ratioTo(rounds, 'Koa') },
    latency: {
      median: medianOf(rounds.service.map(({ latency }) => latency.median)),
      p99: medianOf(rounds.service.map(({ latency }) => latency.p99)),
    },
    processor: perServer(processorOf),
  }
}

/** The servers in the order of a round: each comes first in its turn, so that none always runs on a warmer machine. */
const inTurn = (servers: readonly Served[], round: number): readonly Served[] => {
  const first = round % servers.length
  return [...servers.slice(first), ...servers.slice(0, first)]
}

export const measureRow = async (stage: Stage, row: Row): Promise<RowResult> => {
  const reference = await sample(stage, row, stage.service, null)
  const expected = expectationOf(reference, row)
  for (const floor of stage.floors) await floor.answerWith(reference)
  const servers: readonly Served[] = [stage.service, ...stage.floors]
  for (const server of servers) await runLoad(stage, row, server, expected, stage.seconds / 4)
  const rounds: Record<ServerName, Measured[]> = { service: [], 'node:http': [], Koa: [] }
  for (let round = 0; round < stage.rounds; round += 1) {
    stage.progress(`${row.title}: round ${round + 1} of ${stage.rounds}`)
    for (const server of inTurn(servers, round))
      rounds[server.name].push(await measureServer(stage, row, server, expected))
  }
  return resultOf(row, rounds)
}
