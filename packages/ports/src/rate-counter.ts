/** How often a key was used in its window. */
export type RateCount = {
  readonly key: string
  readonly count: number
  /** Milliseconds until the window ends; 0 where there is none. */
  readonly remaining: number
}

export type RateUse = RateCount & { readonly isCounted: boolean }

/**
 * Counts uses by key, each key in windows of its own, within one process.
 * - The window of a key begins with a use; each use within it counts one more.
 * - A use of a key that has been used as often as it may, or more often, isn’t counted and begins no window.
 * - A window ends after its length of elapsed time, whatever happens to the wall clock; the next use begins another.
 * - Of more keys than it holds, the counter forgets the one that was used least recently.
 * - The busiest keys are those used at least so often in a window that hasn’t ended: the most used first, no more than asked for.
 */
export type RateCounter = {
  /** `most` is how often the key may be used in the window. */
  readonly use: (key: string, most: number) => RateUse
  readonly busiest: (least: number, most: number) => readonly RateCount[]
}

/** What a counter is opened with. */
export type RateCounterOptions = {
  /** Length of a window, in milliseconds. */
  readonly window: number
  /** Most keys that are held. */
  readonly keys: number
}
