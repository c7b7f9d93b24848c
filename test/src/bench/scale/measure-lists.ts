/** Requests each list several times at two sizes of a publication, alternately, and returns those that took longer at the larger size. */
import type { Agent } from 'node:http'
import { isJsonObject } from '@publishing-service/domain'
import { exchange, headerOf, jsonOf } from '../exchange.js'
import { WrongAnswer } from '../measure-load.js'
import type { ListRequest } from './list-requests.js'
import type { SeededService } from './measure-scale.js'

export type ListResult = ListRequest & {
  /** Milliseconds of the quickest response, at the smaller and the larger size. */
  readonly small: number
  readonly large: number
}

const ask = async ({ seed, service }: SeededService, { name, path, role }: ListRequest, agent: Agent) => {
  const headers = { Authorization: `Bearer ${seed.tokens[role]}`, 'Cache-Control': 'no-cache' }
  const started = performance.now()
  const answer = await exchange(service.url, { method: 'GET', path, headers, body: null }, agent)
  const time = performance.now() - started
  if (answer.status !== 200)
    throw new WrongAnswer(`${name} as ${role}: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
  const isJson = headerOf(answer, 'content-type')?.includes('json') === true
  const read = isJson ? jsonOf(answer) : null
  const items = isJsonObject(read) ? read['items'] : null
  return { time, count: Array.isArray(items) ? items.length : 0 }
}

/** `turns` is how often each list is requested at each size. The fastest response shows how long the work takes. */
export const measureLists = async (
  questions: readonly ListRequest[],
  [smaller, larger]: readonly [SeededService, SeededService],
  turns: number,
  agent: Agent,
  progress: (text: string) => void,
): Promise<readonly ListResult[]> => {
  const results: ListResult[] = []
  for (const [index, question] of questions.entries()) {
    if (index % 50 === 0) progress(`lists: ${index} of ${questions.length}`)
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let turn = 0; turn < turns; turn += 1) {
      const one = await ask(smaller, question, agent)
      const other = await ask(larger, question, agent)
      if (other.count < one.count)
        throw new WrongAnswer(`${question.name}: ${one.count} rows, and ${other.count} of more objects`)
      small = Math.min(small, one.time)
      large = Math.min(large, other.time)
    }
    results.push({ ...question, small, large })
  }
  return results
}
