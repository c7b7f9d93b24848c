/** Stores that fail, for tests of interrupted copies. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import type { Stores } from './copied-publication.js'
import { withChanges } from './memory-documents.js'
import { unavailable } from './stage.js'

/** Stores that execute this many writes and then fail; the last write may be applied although it fails. */
export const failingAfter = (stores: Stores, writes: number, lastApplies: boolean): Stores => {
  let left = writes
  const bounded =
    <F, A>(task: TaskEither<F, A>): TaskEither<F | PortFailure, A> =>
    async () => {
      left -= 1
      if (left >= 0) return task()
      if (left === -1 && lastApplies) await task()
      return E.left(unavailable)
    }
  const { documents, blobs } = stores
  return {
    documents: withChanges({ ...documents, write: (...call) => bounded(documents.write(...call)) }),
    blobs: { ...blobs, write: (...call) => bounded(blobs.write(...call)) },
  }
}
