/** How many requests are answered within a window of time, and whom they are counted for. */

/** Seconds that a window lasts. */
export const rateWindow = 60

/** Requests in a window: of each API key whose token is valid, and of each address without a valid token. */
export type RateLimits = { readonly key: number; readonly address: number }

export type RatePolicy = keyof RateLimits

export const defaultRateLimits: RateLimits = { key: 6000, address: 600 }

/** Most keys and addresses that a process counts at a time. They are apart, so that addresses push no key out. */
export const countedClients: RateLimits = { key: 10_000, address: 50_000 }

/** What a process knows of a client's use of a limit that it shares with others. */
export type SharedUse = {
  /** Requests that this process has counted in its window, as far as the others know of them. */
  readonly published: number
  /** Requests that the others have counted in theirs. */
  readonly others: number
  /** Processes that share the limit, this one included. */
  readonly processes: number
}

/**
 * Most requests that a process may count in its window until it hears of the others again. What is left of the limit is
 * divided by the number of processes: so a client that sends to all of them at once can't use the limit of each.
 */
export const rateCeiling = (limit: number, { published, others, processes }: SharedUse): number =>
  published + Math.ceil(Math.max(0, limit - published - others) / processes)
