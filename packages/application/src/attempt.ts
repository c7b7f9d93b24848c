import { E } from '@publishing-service/domain'
import type { Failure } from './failure.js'

/** Ends an attempt with the failure that it was given. */
class Ended {
  constructor(readonly failure: Failure) {}
}

/** Returns the value of a success, and ends the attempt with a failure. */
export type Get = <A>(outcome: E.Either<Failure, A>) => A

const get: Get = (outcome) => {
  if (E.isLeft(outcome)) throw new Ended(outcome.left)
  return outcome.right
}

/** Runs steps of which each may fail; the first failure is the outcome. What a step throws otherwise is a defect. */
export const attempt = async <A>(steps: (get: Get) => Promise<A>): Promise<E.Either<Failure, A>> => {
  try {
    return E.right(await steps(get))
  } catch (error) {
    if (error instanceof Ended) return E.left(error.failure)
    throw error
  }
}
