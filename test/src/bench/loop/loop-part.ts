/**
 * The part of the bench that sends requests which block the event loop most, and measures the response time of
 * `/health/live` meanwhile.
 */
import { once } from 'node:events'
import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { createAgent, exchange } from '../exchange.js'
import type { BenchOptions } from '../options.js'
import { memoryOf } from '../process-use.js'
import type { Tokens } from '../publication.js'
import { seededInstance } from '../scale/seed-documents.js'
import { seedOf } from '../scale/seeds.js'
import { startServedService, type Served } from '../served.js'
import {
  hostileRequests,
  prepareHostileObjects,
  type HostileObjects,
  type HostileRequest,
} from './hostile-requests.js'

export const loopNames: readonly string[] = hostileRequests.map(({ name }) => name)

export type LoopRow = {
  readonly title: string
  /** Milliseconds of `/health/live`. */
  readonly median: number
  readonly p99: number
  readonly longest: number
  /** Hostile requests that were responded to, by status; 0 where the connection broke. */
  readonly responses: Readonly<Record<string, number>>
  /** Bytes of the largest response. */
  readonly largest: number
  /** Bytes of memory that the service held at most until the end of this row; null if the system does not report it. */
  readonly peak: number | null
  /** Whether the service was still there in the end. */
  readonly isAlive: boolean
}

const size = { full: 60_000, quick: 1000 } as const
const clients = 10

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const measure = async (
  service: Served,
  tokens: Tokens,
  objects: HostileObjects,
  { title, role, request }: HostileRequest,
  seconds: number,
): Promise<Omit<LoopRow, 'isAlive'>> => {
  const agent = createAgent(clients)
  const responses: Record<string, number> = {}
  let largest = 0
  let serial = 0
  const probe = new Worker(new URL('./probe-worker.js', import.meta.url), {
    workerData: `${service.url}/health/live`,
  })
  const end = performance.now() + seconds * 1000
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const { method, path, body } = request(serial++, objects)
      const headers = {
        Authorization: `Bearer ${tokens[role]}`,
        'Cache-Control': 'no-cache',
        ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      }
      const target = `/${seededInstance}${path}`
      const response = await exchange(
        service.url,
        { method, path: target, headers, body },
        agent,
        120_000,
      ).catch(() => null)
      const status = String(response?.status ?? 0)
      responses[status] = (responses[status] ?? 0) + 1
      largest = Math.max(largest, response?.body.length ?? 0)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  probe.postMessage('stop')
  const [durations] = (await once(probe, 'message')) as [readonly number[]]
  agent.destroy()
  const sorted = durations.toSorted((a, b) => a - b)
  const memory = await memoryOf(service.pid).catch(() => null)
  return {
    title,
    median: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    longest: sorted.at(-1) ?? Number.NaN,
    responses,
    largest,
    peak: memory?.peak ?? null,
  }
}

/** Measures these rows, each on a service that was just started, on copies of one data folder below `directory`. */
export const runLoop = async (
  options: BenchOptions,
  names: readonly string[],
  directory: string,
  progress: (text: string) => void,
): Promise<readonly LoopRow[]> => {
  const locations = options.rounds > 1 ? size.full : size.quick
  const seed = await seedOf({ locations, content: 1000, others: 1000, tagsEach: 2 }, (text) =>
    progress(`loop: ${text}`),
  )
  await cp(seed.dataDirectory, directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const start = () => startServedService(directory)
  progress('loop: hostile objects')
  const first = await start()
  const objects = await prepareHostileObjects(`${first.url}/${seededInstance}`, seed.tokens.editor).finally(
    () => first.stop(),
  )
  const rows: LoopRow[] = []
  for (const hostile of hostileRequests.filter(({ name }) => names.includes(name))) {
    progress(hostile.title)
    const service = await start()
    const row = await measure(service, seed.tokens, objects, hostile, options.rounds * options.seconds)
    // A service that did not survive can't be stopped.
    const isAlive = await service.stop().then(
      () => true,
      () => false,
    )
    rows.push({ ...row, isAlive })
  }
  return rows
}
