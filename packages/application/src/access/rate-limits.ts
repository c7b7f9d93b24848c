import { clientAddress, rateCeiling, type RateLimits, type RatePolicy } from '@publishing-service/domain'
import type { Principal } from './principals.js'
import type { RateCounters, SharedRates } from './shared-rates.js'

/** Whether a request is allowed, and the state of the limit that the client sees. */
export type RateReading = {
  readonly policy: RatePolicy
  readonly isAllowed: boolean
  readonly limit: number
  /** Requests that are left in the window. */
  readonly remaining: number
  /** Until the window ends or, for a rejected request, until the client may retry; at least 1. */
  readonly seconds: number
}

/** Seconds between exchanges of counts with other processes. */
export const exchangeSeconds = 1

/** Seconds until the first of these windows ends; 0 means no window. */
const secondsUntilFirst = (...remaining: readonly number[]): number =>
  Math.max(1, Math.ceil(Math.min(...remaining.filter((each) => each > 0)) / 1000))

/**
 * Counts a request for its client: for the API user of a valid token, whichever of its keys it uses, else for the remote
 * address; `isPublic` is whether it has no token, and a setting may open what it requests. So guesses of tokens count for their address, and clients with a
 * token are not limited by others at the same address.
 */
export const createRateLimits = (
  counters: RateCounters,
  limits: RateLimits,
  shared: Pick<SharedRates, 'of'> | null,
) => {
  const read = (policy: RatePolicy, client: string): RateReading => {
    const limit = limits[policy]
    const known = shared?.of(policy, client)
    const most = known === undefined ? limit : rateCeiling(limit, known)
    const { count, remaining, isCounted } = counters[policy].use(client, most)
    const { others, othersRemaining } = known ?? { others: 0, othersRemaining: 0 }
    const left = Math.max(0, limit - count - others)
    return {
      policy,
      isAllowed: isCounted,
      limit,
      remaining: isCounted ? left : 0,
      seconds: isCounted || left === 0 ? secondsUntilFirst(remaining, othersRemaining) : exchangeSeconds,
    }
  }
  return (principal: Principal | null, isPublic: boolean, address: () => string): RateReading =>
    principal === null
      ? read(isPublic ? 'public' : 'address', clientAddress(address()))
      : read('key', principal.id ?? principal.key)
}

export type ReadRate = ReturnType<typeof createRateLimits>
