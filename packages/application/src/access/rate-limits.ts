import {
  clientAddress,
  rateCeiling,
  type AddressPolicy,
  type RateLimits,
  type RatePolicy,
} from '@publishing-service/domain/access'
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

/**
 * Counts a request for its client: for the API user of a valid token, whichever of its keys it uses, else for the remote
 * address, by the policy of requests without a token. So guesses of tokens count for their address, and clients with a token
 * are not limited by others at the same address.
 */
export type ReadRate = (client: Principal | AddressPolicy, address: string) => RateReading

export const createRateLimits =
  (counters: RateCounters, limits: RateLimits, shared: Pick<SharedRates, 'of'> | null): ReadRate =>
  (of, address) => {
    const [policy, client] =
      typeof of === 'string' ? [of, clientAddress(address)] : (['key', of.id ?? of.key] as const)
    const limit = limits[policy]
    const known = shared?.of(policy, client)
    const most = known === undefined ? limit : rateCeiling(limit, known)
    const { count, remaining, isCounted } = counters[policy].use(client, most)
    const left = Math.max(0, limit - count - (known?.others ?? 0))
    // Milliseconds until the first window ends, here or at the other processes; 0 means no window.
    const others = known?.othersRemaining ?? 0
    const first = remaining > 0 && others > 0 ? Math.min(remaining, others) : Math.max(remaining, others)
    return {
      policy,
      isAllowed: isCounted,
      limit,
      remaining: isCounted ? left : 0,
      seconds: isCounted || left === 0 ? Math.max(1, Math.ceil(first / 1000)) : exchangeSeconds,
    }
  }
