import { E, type Problem, type TaskEither } from '@publishing-service/domain'
import type { Clock } from '@publishing-service/ports'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'

/**
 * Runs so many tasks side by side and lets so many others wait; what comes on top, or has waited for too long when its
 * turn comes, is told to come again.
 */
export type ScalingQueue = <F, A>(task: TaskEither<F, A>) => TaskEither<F | Problem, A>

/** A place gets free with each image that is done. */
const full: Problem = { _tag: 'Unavailable', retryAfter: 5 }

/** In milliseconds. With the time of a job it is less than servers and clients keep a silent connection for. */
const patience = 60_000

export const createScalingQueue = (clock: Clock, parallel: number, waiting: number): ScalingQueue => {
  const queue = new PQueue({ concurrency: parallel })
  return (task) => async () => {
    if (queue.pending >= parallel && queue.size >= waiting) return E.left(full)
    const came = clock.now()
    return queue.add(async () => (clock.now() - came > patience ? E.left(full) : task()))
  }
}
