import type { Clock } from '@publishing-service/ports'
import { createBoundedMap } from '../bounded-map.js'

type Count = { readonly failures: number; readonly until: number }

/**
 * Counts failures by name within a window, so that guessing costs time. `wait` answers the seconds that a name has to
 * wait, or null where it may try.
 */
export const createAttemptLimit = (clock: Clock, limit: number, windowMilliseconds: number) => {
  const counts = createBoundedMap<string, Count>(50_000)
  const current = (name: string): Count | undefined => {
    const count = counts.get(name)
    return count !== undefined && count.until > clock.now() ? count : undefined
  }
  return {
    wait: (name: string): number | null => {
      const count = current(name)
      return count === undefined || count.failures < limit
        ? null
        : Math.ceil((count.until - clock.now()) / 1000)
    },
    fail: (name: string): void => {
      const count = current(name)
      counts.set(name, {
        failures: (count?.failures ?? 0) + 1,
        until: count?.until ?? clock.now() + windowMilliseconds,
      })
    },
    succeed: (name: string): void => counts.delete(name),
  }
}
