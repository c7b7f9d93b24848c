import type { SharedAttempts } from './shared-attempts.js'

type Running = { count: number; readonly waiting: (() => void)[] }

/** Undecided: the attempt ended before the secret was verified. */
export type AttemptOutcome = 'failed' | 'succeeded' | 'undecided'

/** Attempts of one name that may wait for others to end. Further ones are rejected. */
const maxWaiting = 64

/**
 * Limits failed attempts by name within a window, so that guessing costs time. An attempt counts from its start:
 * failures and running attempts together never exceed the limit, so parallel guesses get no more tries than others.
 * An attempt waits if running attempts use up the limit, because all of them may succeed. Of one name, `parallel`
 * attempts run at a time, so that one client does not fill the queue of all.
 */
export const createAttemptLimit = (failures: SharedAttempts, parallel = Infinity) => {
  const running = new Map<string, Running>()

  return {
    /**
     * Resolves with null once the attempt may run, or with the seconds after which the client may retry. `most` is the
     * limit, by default that of the policy.
     */
    start: async (name: string, most?: number): Promise<number | null> => {
      for (;;) {
        const { own, ceiling, wait } = failures.of(name, most)
        if (wait !== null) return wait
        const current = running.get(name) ?? { count: 0, waiting: [] }
        if (own + current.count < ceiling && current.count < parallel) {
          current.count += 1
          running.set(name, current)
          return null
        }
        if (current.waiting.length >= maxWaiting) return 1
        await new Promise<void>((resolve) => current.waiting.push(resolve))
      }
    },
    /** Must be called for every attempt that was started. */
    end: (name: string, outcome: AttemptOutcome): void => {
      const current = running.get(name)
      if (current === undefined) throw new Error('An attempt ended that never started')
      current.count -= 1
      if (current.count === 0) running.delete(name)
      if (outcome === 'succeeded') failures.reset(name)
      if (outcome === 'failed') failures.add(name)
      for (const resume of current.waiting.splice(0)) resume()
    },
  }
}
