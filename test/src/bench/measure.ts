/** Rounds in which the sides of a comparison alternate. Rejects if a response is wrong. */
import { setTimeout } from 'node:timers/promises'
import { exchange, requestAt, type Requests, type Response } from './exchange.js'
import { reserveSerials, runLoad } from './load.js'
import type { Server } from './processes.js'
import { isOk, type Validate } from './validate.js'

export type Expected = {
  /** How far from the first response's the size of others may be, in bytes; null if all responses are the same. */
  readonly spread: number | null
  readonly validate: Validate
}

export type Side = Expected & {
  readonly server: Server
  readonly requests: Requests
  readonly first: Response
}

export type Measured = {
  /** Responses a second. */
  readonly rate: number
  /** Milliseconds */
  readonly p99: number
  /** Microseconds of processor time per response, all threads together; NaN if the system does not report it. */
  readonly processor: number
}

/** The rounds of one side. */
export type Rounds = readonly Measured[]

/** The response that a baseline sends, its body as base64. */
export type BaselineResponse = Omit<Response, 'body'> & { readonly body: string }

/** A response, validated in full. */
const sample = async ({ server, requests, validate }: Omit<Side, 'first'>): Promise<Response> => {
  const request = requestAt(requests, reserveSerials(1))
  const response = await exchange(server.url, request)
  const fault = await validate(response, request, server.url)
  if (fault !== null) throw new Error(`Wrong response to ${request.method} ${request.path}: ${fault}`)
  return response
}

export const sideOf = async (server: Server, requests: Requests, expected: Expected): Promise<Side> => {
  const side = { ...expected, server, requests }
  return { ...side, first: await sample(side) }
}

/** The side of a baseline, which gets the requests of another side and responds in the same way, if it can. */
export const baselineSideOf = async (baseline: Server, { requests, first, spread }: Side): Promise<Side> => {
  const response: BaselineResponse = { ...first, body: first.body.toString('base64') }
  await exchange(baseline.url, { method: 'PUT', path: '/', headers: {}, body: JSON.stringify(response) })
  return sideOf(baseline, requests, { spread, validate: isOk })
}

/** Samples during and after the load are validated in full. */
const measure = async (side: Side, connections: number, seconds: number): Promise<Measured> => {
  const { processorSeconds, url } = side.server
  const before = await processorSeconds()
  let isOver = false
  const sampled = async (): Promise<void> => {
    for (; !isOver; await setTimeout(Math.min(400, seconds * 1000))) await sample(side)
  }
  const load = runLoad({ ...side, url, connections, seconds }).finally(() => {
    isOver = true
  })
  const [result] = await Promise.all([load, sampled()])
  const after = await processorSeconds()
  await sample(side)
  const used = before === null || after === null ? Number.NaN : after - before
  return { rate: result.count / result.seconds, p99: result.p99, processor: (used * 1e6) / result.count }
}

/** Measures each side in each round; each comes first in its turn. Rounds before, a quarter as long, are not counted. */
export const measureRounds = async (
  sides: readonly Side[],
  connections: number,
  { rounds, seconds, quick }: { readonly rounds: number; readonly seconds: number; readonly quick: boolean },
): Promise<readonly Rounds[]> => {
  if (!quick) for (const side of sides) await measure(side, connections, seconds / 4)
  const measured = sides.map((): Measured[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < sides.length; turn += 1) {
      const index = (round + turn) % sides.length
      const side = sides[index]
      if (side === undefined) continue
      const result = await measure(side, connections, seconds)
      // A quick run validates single responses, and may end before the first one of a load.
      if (result.rate === 0 && !quick) throw new Error(`${side.requests.path}: no response in ${seconds} s`)
      measured[index]?.push(result)
    }
  return measured
}
