import { isDuplicate } from './mongodb-failure.js'

/**
 * The result of an attempt at a position, or at the next ones as long as others have these. `rejection` says why a unique index
 * rejects the attempt; null if it is the position.
 */
export const atFreePosition = async <A>(
  first: number,
  attempt: (position: number) => Promise<A>,
  rejection: () => Promise<A | null> = async () => null,
): Promise<A> => {
  for (let position = first; ; position++)
    try {
      return await attempt(position)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const reason = await rejection()
      if (reason !== null) return reason
    }
}
