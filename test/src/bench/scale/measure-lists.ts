/** Requests each list several times at two sizes of a publication, alternately, and returns those that took longer at the larger size. */
import type { Agent } from 'node:http'
import { isJsonObject } from '@publishing-service/domain'
import { exchange, headerOf, jsonOf } from '../exchange.js'
import { WrongResponse } from '../measure-load.js'
import type { ListRequest } from './list-requests.js'
import type { SeededService } from './measure-scale.js'

export type ListResult = ListRequest & {
  /** Milliseconds of the quickest response, at the smaller and the larger size. */
  readonly small: number
  readonly large: number
}

const measureRequest = async (
  { seed, service }: SeededService,
  { name, path, role }: ListRequest,
  agent: Agent,
) => {
  const headers = { Authorization: `Bearer ${seed.tokens[role]}`, 'Cache-Control': 'no-cache' }
  const started = performance.now()
  const response = await exchange(service.url, { method: 'GET', path, headers, body: null }, agent)
  const time = performance.now() - started
  if (response.status !== 200)
    throw new WrongResponse(
      `${name} as ${role}: ${response.status} ${response.body.toString().slice(0, 300)}`,
    )
  const isJson = headerOf(response, 'content-type')?.includes('json') === true
  const read = isJson ? jsonOf(response) : null
  const items = isJsonObject(read) ? read['items'] : null
  return { time, count: Array.isArray(items) ? items.length : 0 }
}

/** `rounds` is how often each list is requested at each size. The fastest response shows how long the work takes. */
export const measureLists = async (
  requests: readonly ListRequest[],
  [smaller, larger]: readonly [SeededService, SeededService],
  rounds: number,
  agent: Agent,
  progress: (text: string) => void,
): Promise<readonly ListResult[]> => {
  const results: ListResult[] = []
  for (const [index, request] of requests.entries()) {
    if (index % 50 === 0) progress(`lists: ${index} of ${requests.length}`)
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < rounds; round += 1) {
      const one = await measureRequest(smaller, request, agent)
      const other = await measureRequest(larger, request, agent)
      if (other.count < one.count)
        throw new WrongResponse(`${request.name}: ${one.count} rows, and ${other.count} of more objects`)
      small = Math.min(small, one.time)
      large = Math.min(large, other.time)
    }
    results.push({ ...request, small, large })
  }
  return results
}
