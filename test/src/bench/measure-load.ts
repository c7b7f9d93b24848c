/**
 * One load on one server. The driver validates each response. Samples before, during and after the load are validated
 * completely. Rejects with WrongResponse if a response is wrong.
 */
import type { Agent } from 'node:http'
import { exchange, type ReceivedResponse } from './exchange.js'
import type { Read } from './validate-response.js'
import { shortened, type Expectation, type LoadDriver, type LoadResult } from './load-driver.js'
import { processorSecondsOf } from './process-use.js'
import type { Row } from './rows.js'
import type { Served } from './served.js'
import { requestAt, type Request } from './traffic.js'

export class WrongResponse extends Error {}

export type LoadSetup = {
  readonly driver: LoadDriver
  readonly agent: Agent
  readonly read: Read
  readonly connections: number
  readonly seconds: number
  readonly nextSerial: (count: number) => number
}

export type Measured = LoadResult & {
  /** Microseconds of processor time that the server spent on each response; null if the system does not report it. */
  readonly processor: number | null
}

/** Seconds of one response: of the processor, if the system reports them. */
export const timeOf = ({ processor, requests, seconds }: Measured): number =>
  processor === null ? seconds / requests : processor / 1e6

/** More serials than any server responses requests in one load. */
const serialsPerLoad = 100_000_000
/** Between two samples while the load runs, in milliseconds. */
const sampleInterval = 400

/** What all responses have to be that follow one which is right. */
export const expectationOf = ({ status, body }: ReceivedResponse, { spread }: Row): Expectation => ({
  status,
  leastBytes: body.length - (spread ?? 0),
  mostBytes: body.length + (spread ?? 0),
  body: spread === null ? body : null,
})

const meets = ({ status, body }: ReceivedResponse, expected: Expectation): boolean =>
  status === expected.status &&
  body.length >= expected.leastBytes &&
  body.length <= expected.mostBytes &&
  (expected.body === null || expected.body.equals(body))

const ask = (server: Served, request: Request, agent: Agent): Promise<ReceivedResponse> =>
  exchange(server.url, request, agent)

/** One response, validated in full where the service gave it. */
export const sample = async (
  setup: LoadSetup,
  row: Row,
  server: Served,
  expected: Expectation | null,
): Promise<ReceivedResponse> => {
  const request = requestAt(row.traffic, setup.nextSerial(1))
  const response = await ask(server, request, setup.agent)
  const fault = server.name === 'service' ? await row.validate(response, request, setup.read) : null
  const differs = expected !== null && !meets(response, expected)
  if (fault !== null || differs)
    throw new WrongResponse(
      `${row.title}, ${server.name}: ${fault ?? `not as the first response: ${shortened(response.status, response.body.toString('latin1'))}`}`,
    )
  return response
}

/** Samples until the load has ended. */
const sampleDuring = async (
  setup: LoadSetup,
  row: Row,
  server: Served,
  expected: Expectation,
  isOver: () => boolean,
): Promise<void> => {
  while (!isOver()) {
    await sample(setup, row, server, expected)
    await new Promise((resolve) => {
      setTimeout(resolve, sampleInterval)
    })
  }
}

const checkCounts = (row: Row, server: Served, { requests, wrong, firstWrong, broken }: LoadResult): void => {
  const where = `${row.title}, ${server.name}`
  if (wrong > 0)
    throw new WrongResponse(`${where}: ${wrong} responses were wrong, the first ${firstWrong ?? 'unknown'}`)
  if (broken > 0) throw new WrongResponse(`${where}: ${broken} requests had no response`)
  if (requests === 0) throw new WrongResponse(`${where}: no request was answered`)
}

export const runLoad = async (
  setup: LoadSetup,
  row: Row,
  server: Served,
  expected: Expectation,
  seconds: number,
): Promise<LoadResult> => {
  let isOver = false
  const load = setup.driver
    .run({
      url: server.url,
      traffic: row.traffic,
      expected,
      firstSerial: setup.nextSerial(serialsPerLoad),
      connections: setup.connections,
      seconds,
    })
    .finally(() => {
      isOver = true
    })
  const [result] = await Promise.all([load, sampleDuring(setup, row, server, expected, () => isOver)])
  checkCounts(row, server, result)
  return result
}

/** One server's part of a round. */
export const measureLoad = async (
  setup: LoadSetup,
  row: Row,
  server: Served,
  expected: Expectation,
): Promise<Measured> => {
  const count = server.name === 'service' ? row.count : undefined
  await sample(setup, row, server, expected)
  const before = await count?.(setup.read)
  const processorBefore = await processorSecondsOf(server.pid)
  const result = await runLoad(setup, row, server, expected, setup.seconds)
  const processorAfter = await processorSecondsOf(server.pid)
  const after = await count?.(setup.read)
  await sample(setup, row, server, expected)
  if (before !== undefined && after !== undefined && after - before < result.requests)
    throw new WrongResponse(`${row.title}: ${result.requests} were acknowledged, ${after - before} are there`)
  const processor =
    processorBefore === null || processorAfter === null
      ? null
      : ((processorAfter - processorBefore) * 1e6) / result.requests
  return { ...result, processor }
}
