/** The number of uses of a key in its window. */
export type RateCount = {
  readonly key: string
  readonly count: number
  /** Milliseconds until the window ends; 0 without a window. */
  readonly remaining: number
}

export type RateUse = RateCount & { readonly isCounted: boolean }

/**
 * Counts uses by key, each key in separate windows, within one process.
 * - The window of a key starts with a use; each further use in it adds one.
 * - A use of a key that has reached its limit is not counted and starts no window.
 * - A window ends after its length of elapsed time, whatever the wall clock shows; the next use starts another.
 * - If there are more keys than its limit, the counter evicts the least recently used.
 * - The busiest keys are those with at least the requested count in a current window, sorted by count, at most the requested number.
 */
export type RateCounter = {
  /** `most` is the limit of uses in the window. */
  readonly use: (key: string, most: number) => RateUse
  readonly busiest: (least: number, most: number) => readonly RateCount[]
}

/** Options of a counter. */
export type RateCounterOptions = {
  /** Length of a window, in milliseconds. */
  readonly window: number
  /** Maximum number of keys. */
  readonly keys: number
}
