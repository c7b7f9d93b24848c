import {
  type AddressPolicy,
  clientAddress,
  forEachPolicy,
  maxCountedClients,
  rateCeiling,
  type RateLimits,
  type RatePolicy,
  rateWindow,
} from '@publishing-service/access'
import type { Clock } from '@publishing-service/ports'
import type { Principal } from './principals.js'
import { exchangeSeconds, type SharedRates } from './shared-rates.js'
import { WindowCounts } from './window-counts.js'

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

/**
 * Counts a request for its client: for the API user of a valid token, whichever of its keys it uses, else for the remote
 * address, by the policy of requests without a token. So guesses of tokens count for their address, and clients with a token
 * are not limited by others at the same address.
 */
export type ReadRate = (client: Principal | AddressPolicy, address: string) => RateReading

export const createRateLimits = (
  clock: Clock,
  limits: RateLimits,
  shared: Pick<SharedRates, 'share'> | null,
): ReadRate => {
  const counts = forEachPolicy(
    (policy) => new WindowCounts(clock, rateWindow * 1000, maxCountedClients[policy]),
  )
  const known = forEachPolicy((policy) => shared?.share(policy, counts[policy], limits[policy]) ?? null)
  return (of, address) => {
    const [policy, client] =
      typeof of === 'string' ? [of, clientAddress(address)] : (['key', of.id ?? of.key] as const)
    const limit = limits[policy]
    const use = known[policy]?.(client)
    const most = use === undefined ? limit : rateCeiling(limit, use)
    const { count, remaining, isCounted } = counts[policy].count(client, most)
    const left = Math.max(0, limit - count - (use?.others ?? 0))
    // Milliseconds until the first window ends, here or at the other processes; 0 means no window.
    const others = use?.othersRemaining ?? 0
    const first = remaining > 0 && others > 0 ? Math.min(remaining, others) : Math.max(remaining, others)
    return {
      policy,
      isAllowed: isCounted,
      limit,
      remaining: isCounted ? left : 0,
      seconds: isCounted || left === 0 ? Math.max(1, Math.ceil(first / 1000)) : exchangeSeconds,
    }
  }
}
