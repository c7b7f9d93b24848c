import type { Clock } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import { entryLimit } from '../entry-limit.js'

/** How often a name was counted in its window, and the milliseconds until that ends; 0 without a window. */
export type WindowCount = { readonly name: string; readonly count: number; readonly remaining: number }

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
