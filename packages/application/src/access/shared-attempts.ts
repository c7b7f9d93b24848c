import { attemptLimits, type AttemptPolicy, exchangeSeconds, rateCeiling } from '@publishing-service/access'
import type { Clock } from '@publishing-service/ports'
import { WindowCounts } from './rate-limits.js'
import type { SharedRates } from './shared-rates.js'

/** What is known of a name. */
type KnownAttempts = {
  /** What this process has counted, and how much it may count until the next exchange. */
  readonly own: number
  readonly ceiling: number
  /** What all processes have counted. */
  readonly all: number
  /** Seconds until more may be counted; null if this process may count now. */
  readonly wait: number | null
}

/**
 * Counts of attempts that all processes share. Each process counts in memory, and exchanges counts in the background, so an
 * attempt costs no access to the store. Together, processes count at most twice a limit in a window, or one for each
 * process if these are more.
 */
export type SharedAttempts = {
  /** `most` is the limit, by default that of the policy. */
  readonly of: (name: string, most?: number) => KnownAttempts
  readonly add: (name: string) => void
  /** Forgets what this process has counted. */
  readonly reset: (name: string) => void
}

/** Names that are counted, of each limit. */
const maxNames = 50_000

export const createSharedAttempts = (
  clock: Clock,
  shared: Pick<SharedRates, 'share'>,
  policy: AttemptPolicy,
): SharedAttempts => {
  const { most: usual, window } = attemptLimits[policy]
  const counts = new WindowCounts(clock, window * 1000, maxNames)
  const sharedOf = shared.share(policy, counts, usual)
  return {
    of: (name, most = usual) => {
      const { count: own, remaining } = counts.of(name)
      const known = sharedOf(name)
      const ceiling = rateCeiling(most, known)
      const all = own + known.others
      const ends = [...(own === 0 ? [] : [remaining]), ...(known.others === 0 ? [] : [known.othersRemaining])]
      const untilEnd = Math.ceil(Math.min(...ends) / 1000)
      return { own, ceiling, all, wait: all >= most ? untilEnd : own >= ceiling ? exchangeSeconds : null }
    },
    add: (name) => void counts.count(name),
    reset: (name) => counts.forget(name),
  }
}
