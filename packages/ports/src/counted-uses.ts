/** Counts the uses of a store that are under way, so that closing can wait for them. */
import { E, type Either, type TaskEither } from '@publishing-service/domain'
import type { PortFailure } from './port-failure.js'

export type CountedUses = {
  /** An error of the surroundings becomes a PortFailure; a use after `close` does nothing and fails as closed. */
  readonly use: <L, A>(work: () => Promise<Either<L, A>>) => TaskEither<L | PortFailure, A>
  /** For what isn't a use, such as an iteration. */
  readonly isClosed: () => boolean
  /** Takes no more uses from the call on. Resolves when those under way have ended. */
  readonly close: () => Promise<void>
}

/** `closed` is the failure of uses after `close`. `failureOf` throws again whatever is a defect. */
export const countedUses = (closed: PortFailure, failureOf: (error: unknown) => PortFailure): CountedUses => {
  const underWay = new Set<Promise<unknown>>()
  let hasClosed = false

  return {
    use: (work) => async () => {
      if (hasClosed) return E.left(closed)
      const running = work()
      underWay.add(running)
      try {
        return await running
      } catch (error) {
        return E.left(failureOf(error))
      } finally {
        underWay.delete(running)
      }
    },
    isClosed: () => hasClosed,
    close: async () => {
      hasClosed = true
      await Promise.allSettled(underWay)
    },
  }
}
