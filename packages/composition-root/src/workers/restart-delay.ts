/** When a worker that has ended is replaced. */

/** A worker that ends within this time after it began to serve, in milliseconds, has failed soon. */
const soon = 3000
/** Milliseconds before the second replacement of workers that fail soon, and before any. */
const [shortest, longest] = [1000, 30_000]

/** Whether a worker has failed soon. `served` is for how long it has served, in milliseconds; null if it never has. */
export const hasFailedSoon = (served: number | null): boolean => served === null || served < soon

/** Milliseconds until the replacement of a worker, after so many that have failed soon, one after the other. */
export const restartDelay = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(longest, shortest * 2 ** (failures - 2))
