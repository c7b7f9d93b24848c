import { E, type Problem, type TaskEither } from '@publishing-service/domain'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'

/** Runs so many tasks side by side and lets so many others wait; what comes on top is told to come again. */
export type ScalingQueue = <F, A>(task: TaskEither<F, A>) => TaskEither<F | Problem, A>

/** A place gets free with each image that is done. */
const full: Problem = { _tag: 'Unavailable', retryAfter: 5 }

export const createScalingQueue = (parallel: number, waiting: number): ScalingQueue => {
  const queue = new PQueue({ concurrency: parallel })
  return (task) => async () =>
    queue.pending >= parallel && queue.size >= waiting ? E.left(full) : queue.add(task)
}
