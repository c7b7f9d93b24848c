/** In which order attempts to sign in are verified (docs/behaviour/access.md#order-of-attempts). */

/** Attempts that are verified at the same time: two secrets are hashed, and others read what they need meanwhile. */
export const attemptsAtOnce = 4

/** Attempts that wait. */
export const mostWaitingAttempts = 256

/** How many seconds the attempts of a network come after those of others when one has failed. */
export const failureMemory = 3600

/** How many seconds an address is trusted after a success, with that account or key. Programs request a token daily. */
export const successMemory = 7 * 86_400

/** What the place of an attempt in the queue depends on. */
export type AttemptOrigin = {
  /** Whether it is from a known browser, or with an account or key that its address has succeeded with lately. */
  readonly isTrusted: boolean
  /** Failures of each of its networks lately. */
  readonly failures: number
  /** Attempts of the same origin that are verified or wait. */
  readonly underWay: number
}

/** Attempts with the lowest rank are verified first. Those of one origin alone never keep others waiting for long: each adds to its rank. */
export const attemptRank = ({ isTrusted, failures, underWay }: AttemptOrigin): number =>
  isTrusted ? underWay - 1 : failures + underWay
