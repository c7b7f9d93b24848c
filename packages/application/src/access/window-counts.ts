import { LRUCache } from 'lru-cache'
import type { Clock } from '@publishing-service/ports'
import { entryLimit } from '../entry-limit.js'

/** A count, and the elapsed time at which its window ends. */
type WindowCount = { readonly count: number; readonly until: number }

/**
 * Counts by name in windows of elapsed time. The window of a name begins with its first count. `names` is how many are
 * remembered; the one that was counted or read least recently is forgotten.
 */
export const createWindowCounts = (clock: Clock, windowMilliseconds: number, names: number) => {
  const counts = new LRUCache<string, WindowCount>(entryLimit(names))
  const of = (name: string): WindowCount | undefined => {
    const found = counts.get(name)
    return found !== undefined && found.until > clock.monotonic() ? found : undefined
  }
  return {
    of,
    add: (name: string): void => {
      const before = of(name)
      counts.set(name, {
        count: (before?.count ?? 0) + 1,
        until: before?.until ?? clock.monotonic() + windowMilliseconds,
      })
    },
    reset: (name: string): void => {
      counts.delete(name)
    },
  }
}
