/** The queue of attempts to sign in (docs/behaviour/access.md#order-of-attempts). */
import type { Problem } from '@publishing-service/domain'
import { attemptRank, attemptsAtOnce, failureMemory, mostWaitingAttempts } from '@publishing-service/access'
import type { Clock } from '@publishing-service/ports'
import { WindowCounts } from './rate-limits.js'

/** Too many attempts wait that come first. */
export const busy: Problem = { _tag: 'Unavailable', retryAfter: 1, part: 'sign-in' }

/** Where an attempt comes from: names of its networks, or the one name that is trusted. */
export type GuessOrigin = { readonly names: readonly string[]; readonly isTrusted: boolean }

type Waiting = { readonly rank: number; readonly begin: () => void; readonly refuse: () => void }

/** Networks with remembered failures. */
export const maxNames = 50_000

/**
 * Runs attempts, a few at a time, in the order of their ranks, and those of one rank as they came. An attempt returns null for a
 * failure. Throws Unavailable for the last one in this order if too many wait: the new one, or one that has waited.
 */
export const createGuessQueue = (clock: Clock) => {
  const failures = new WindowCounts(clock, failureMemory * 1000, maxNames)
  const underWay = new Map<string, number>()
  /** In the order of their runs. */
  const waiting: Waiting[] = []
  let running = 0

  const sumOf = (names: readonly string[], countOf: (name: string) => number): number =>
    names.reduce((sum, name) => sum + countOf(name), 0)

  const addUnderWay = (names: readonly string[], change: 1 | -1): void => {
    for (const name of names) {
      const count = (underWay.get(name) ?? 0) + change
      if (count === 0) underWay.delete(name)
      else underWay.set(name, count)
    }
  }

  /** Resolves when an attempt of this rank may run. */
  const turn = (rank: number): Promise<void> =>
    new Promise((begin, reject) => {
      const before = waiting.findLastIndex((each) => each.rank <= rank)
      waiting.splice(before + 1, 0, { rank, begin, refuse: () => reject(busy) })
      runNext()
      if (waiting.length > mostWaitingAttempts) waiting.pop()?.refuse()
    })

  const runNext = (): void => {
    while (running < attemptsAtOnce) {
      const next = waiting.shift()
      if (next === undefined) return
      running += 1
      next.begin()
    }
  }

  return async <A>(
    { names, isTrusted }: GuessOrigin,
    attempt: () => Promise<A | null>,
  ): Promise<A | null> => {
    const rank = attemptRank({
      isTrusted,
      failures: sumOf(names, (name) => failures.of(name).count),
      underWay: sumOf(names, (name) => underWay.get(name) ?? 0),
    })
    addUnderWay(names, 1)
    try {
      await turn(rank)
      try {
        const result = await attempt()
        if (result === null && !isTrusted) for (const name of names) failures.count(name)
        return result
      } finally {
        running -= 1
        runNext()
      }
    } finally {
      addUnderWay(names, -1)
    }
  }
}
