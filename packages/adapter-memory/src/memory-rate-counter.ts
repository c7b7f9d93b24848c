/** A rate counter in memory, for a limited number of keys. */
import { LRUCache } from 'lru-cache'
import type { Clock, RateCount, RateCounter, RateCounterOptions } from '@publishing-service/ports'

type Window = { count: number; readonly ends: number }

export const memoryRateCounter = (
  clock: Pick<Clock, 'monotonic'>,
  { window: length, keys }: RateCounterOptions,
): RateCounter => {
  const windows = new LRUCache<string, Window>({ max: keys })
  return {
    use: (key, most) => {
      const now = clock.monotonic()
      const window = windows.get(key)
      if (window === undefined || window.ends <= now) {
        if (most < 1) return { key, count: 0, remaining: 0, isCounted: false }
        windows.set(key, { count: 1, ends: now + length })
        return { key, count: 1, remaining: length, isCounted: true }
      }
      const isCounted = window.count < most
      if (isCounted) window.count += 1
      return { key, count: window.count, remaining: window.ends - now, isCounted }
    },
    busiest: (least, most) => {
      const now = clock.monotonic()
      const found: RateCount[] = []
      for (const [key, { count, ends }] of windows.entries())
        if (count >= least && ends > now) found.push({ key, count, remaining: ends - now })
      return found.toSorted((one, other) => other.count - one.count).slice(0, most)
    },
  }
}
