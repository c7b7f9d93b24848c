/** What sends the load: wrk where it is installed, autocannon otherwise. */
import { spawnSync } from 'node:child_process'
import type { Traffic } from './traffic.js'

export const drivers = ['wrk', 'autocannon'] as const
export type DriverName = (typeof drivers)[number]

/** What every answer of a load has to be. */
export type Expectation = {
  readonly status: number
  readonly leastBytes: number
  readonly mostBytes: number
  /** The body to the byte; null where answers differ. */
  readonly body: Buffer | null
}

export type Load = {
  /** Without a slash at the end. */
  readonly url: string
  readonly traffic: Traffic
  readonly expected: Expectation
  /** The first serial of this load; the loads of a run are far enough apart. */
  readonly firstSerial: number
  readonly connections: number
  readonly seconds: number
}

export type LoadResult = {
  /** Answers that came whole. */
  readonly requests: number
  readonly seconds: number
  /** Milliseconds */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Answers that were not as expected. */
  readonly wrong: number
  /** The first of them, shortened. */
  readonly firstWrong: string | null
  /** Connections that failed, or waited too long. */
  readonly broken: number
}

export type LoadDriver = {
  readonly name: DriverName
  readonly version: string
  readonly run: (load: Load) => Promise<LoadResult>
}

/** What of an answer that isn't right is shown. */
export const shortened = (status: number, body: string): string =>
  `status ${status}, ${JSON.stringify(body.slice(0, 300))}`

/** wrk's version; null where it isn't installed. */
export const wrkVersion = (): string | null => {
  const { error, stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  return error === undefined ? (/^wrk (\S+)/.exec(stdout)?.[1] ?? 'of unknown version') : null
}
