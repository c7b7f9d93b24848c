import { pause } from './abort.js'

export type Retrying = {
  /** How often the request is repeated at most. */
  readonly retries: number
  /** Whether the request can be processed twice without harm. */
  readonly repeatable: boolean
  readonly signal: AbortSignal
}

/** In seconds. Rate limits are counted in windows of a minute. */
const longestWait = 120

/**
 * Repeats a request after `Retry-After`: on 429, which states that it was not processed, and on 503 if it is
 * repeatable. Returns the last response.
 */
export const withRetries = async (
  attempt: () => Promise<Response>,
  { retries, repeatable, signal }: Retrying,
): Promise<Response> => {
  for (let left = retries; ; left -= 1) {
    const response = await attempt()
    const retryable = response.status === 429 || (response.status === 503 && repeatable)
    const seconds = Number(response.headers.get('Retry-After') ?? 1)
    if (!retryable || left <= 0 || !(seconds <= longestWait)) return response
    // The connection is used again only after the body was read.
    await response.arrayBuffer()
    await pause(seconds * 1000, signal)
  }
}
