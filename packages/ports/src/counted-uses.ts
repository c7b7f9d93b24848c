/** Tracks the running uses of a store, so that closing can wait for them. */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from './port-failure.js'

export type CountedUses = {
  /** Turns an expected error into a PortFailure. A use after `close` does nothing and fails as closed. */
  readonly use: <L, A>(work: () => Promise<Either<L, A>>) => TaskEither<L | PortFailure, A>
  /** For work that is not a use, such as an iteration. */
  readonly isClosed: () => boolean
  /** Rejects further uses. Resolves when the running ones have ended. */
  readonly close: () => Promise<void>
}

/** `closed` is the failure of uses after `close`. `failureOf` rethrows defects. */
export const countedUses = (closed: PortFailure, failureOf: (error: unknown) => PortFailure): CountedUses => {
  const running = new Set<Promise<unknown>>()
  let hasClosed = false

  return {
    use: (work) => async () => {
      if (hasClosed) return E.left(closed)
      const use = work()
      running.add(use)
      try {
        return await use
      } catch (error) {
        return E.left(failureOf(error))
      } finally {
        running.delete(use)
      }
    },
    isClosed: () => hasClosed,
    close: async () => {
      hasClosed = true
      await Promise.allSettled(running)
    },
  }
}
