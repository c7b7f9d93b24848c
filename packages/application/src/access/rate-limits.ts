/** Counts in windows of time, and the limits of requests by them. */
import {
  type AddressPolicy,
  clientAddress,
  exchangeSeconds,
  forEachPolicy,
  maxCountedClients,
  rateCeiling,
  type RateLimits,
  type RatePolicy,
  rateWindow,
} from '@publishing-service/access'
import type { Clock } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import { entryLimit } from '../entry-limit.js'
import type { SharedRates, WindowCount } from './shared-rates.js'

type Window = { count: number; readonly began: number }

/**
 * Counts by name in windows of elapsed time, within this process. The window of a name begins with its first count. `names`
 * is how many are remembered; the one that was counted or read least recently is forgotten.
 */
export class WindowCounts {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #length: number
  readonly #windows: LRUCache<string, Window>

  constructor(clock: Pick<Clock, 'monotonic'>, milliseconds: number, names: number) {
    this.#clock = clock
    this.#length = milliseconds
    this.#windows = new LRUCache(entryLimit(names))
  }

  of(name: string): WindowCount {
    const window = this.#windows.get(name)
    const remaining = window === undefined ? 0 : this.#remaining(window, this.#clock.monotonic())
    return window === undefined || remaining <= 0
      ? { name, count: 0, remaining: 0 }
      : { name, count: window.count, remaining }
  }

  /** Counts the name, unless it was counted `most` times in its window: then nothing is counted, and no window begins. */
  count(name: string, most = Infinity): WindowCount & { readonly isCounted: boolean } {
    const now = this.#clock.monotonic()
    let window = this.#windows.get(name)
    if (window === undefined || this.#remaining(window, now) <= 0) {
      if (most < 1) return { name, count: 0, remaining: 0, isCounted: false }
      this.#windows.set(name, (window = { count: 0, began: now }))
    }
    const isCounted = window.count < most
    if (isCounted) window.count += 1
    return { name, count: window.count, remaining: this.#remaining(window, now), isCounted }
  }

  forget(name: string): void {
    this.#windows.delete(name)
  }

  /** The names that were counted at least so often, most often first, at most so many. */
  busiest(least: number, most: number): readonly WindowCount[] {
    const now = this.#clock.monotonic()
    const found: WindowCount[] = []
    for (const [name, window] of this.#windows.entries()) {
      const remaining = this.#remaining(window, now)
      if (window.count >= least && remaining > 0) found.push({ name, count: window.count, remaining })
    }
    return found.toSorted((one, other) => other.count - one.count).slice(0, most)
  }

  /** From the time that has passed: the end of a window minus now may be more than its length, by the rounding of fractions. */
  #remaining({ began }: Window, now: number): number {
    return this.#length - (now - began)
  }
}

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

/** The API user of a token, null for the service itself and for previews, and the key that the token was issued for. */
type CountedUser = { readonly id: string | null; readonly key: string }

/**
 * Counts a request for its client: for the API user of a valid token, whichever of its keys it uses, else for the remote
 * address, by the policy of requests without a token. So guesses of tokens count for their address, and clients with a token
 * are not limited by others at the same address.
 */
export type ReadRate = (client: CountedUser | AddressPolicy, address: string) => RateReading

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
