/** A load of requests, and its result. */
import { spawnSync } from 'node:child_process'
import type { Traffic } from './traffic.js'

/** What every response of a load has to be. */
export type Expectation = {
  readonly status: number
  readonly leastBytes: number
  readonly mostBytes: number
  /** The body to the byte; null if responses differ. */
  readonly body: Buffer | null
}

export type Load = {
  /** Without a slash at the end. */
  readonly url: string
  readonly traffic: Traffic
  readonly expected: Expectation
  /** The first serial of this load. */
  readonly firstSerial: number
  readonly connections: number
  readonly seconds: number
}

export type LoadResult = {
  /** Complete responses. */
  readonly requests: number
  readonly seconds: number
  /** Milliseconds */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Responses that were not as expected. */
  readonly wrong: number
  /** The first of them, shortened. */
  readonly firstWrong: string | null
  /** Connections that failed or timed out. */
  readonly broken: number
}

export type LoadDriver = {
  readonly version: string
  readonly run: (load: Load) => Promise<LoadResult>
}

/** A wrong response, shortened for messages. */
export const shortened = (status: number, body: string): string =>
  `status ${status}, ${JSON.stringify(body.slice(0, 300))}`

/** The version of wrk; null if it is not installed. */
export const wrkVersion = (): string | null => {
  const { error, stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  return error === undefined ? (/^wrk (\S+)/.exec(stdout)?.[1] ?? 'of unknown version') : null
}
