/**
 * Failures inside the application. A step that fails throws the failure, which ends the operation; `attempt` returns it as
 * a value, for code that continues after it (docs/decisions/0078-failures-end-operations.md).
 */
import { badParameters, type Fault, type Problem } from '@publishing-service/domain'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { Failure } from './failure.js'

/** Failures are values with a tag; defects are instances of Error. */
export const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && '_tag' in error && !(error instanceof Error)

/** Returns the value of a success; throws a failure. */
export const unwrap = <F, A>(outcome: E.Either<F, A>): A => {
  if (E.isLeft(outcome)) throw outcome.left
  return outcome.right
}

/** Throws the problem, if there is one. */
export const throwIf = (problem: Problem | null): void => {
  if (problem !== null) throw problem
}

/** Returns input that was parsed; throws BadParameters with its faults. */
export const accepted = <A>(parsed: E.Either<readonly Fault[], A>): A => {
  if (E.isLeft(parsed)) throw badParameters(parsed.left)
  return parsed.right
}

type Parsed<A> = E.Either<readonly Fault[], A>

/** Both values, or the faults of both. */
export const allOf = <A, B>(one: Parsed<A>, other: Parsed<B>): Parsed<readonly [A, B]> => {
  if (E.isRight(one) && E.isRight(other)) return E.right([one.right, other.right])
  return E.left([one, other].flatMap((each) => (E.isLeft(each) ? each.left : [])))
}

/** Runs a task and returns its value; throws its failure. */
export const orThrow = async <F, A>(task: TaskEither<F, A>): Promise<A> => unwrap(await task())

/** Runs steps of which each may throw a failure, and returns it as a value. What they throw otherwise is a defect. */
export const attempt = async <A>(steps: () => Promise<A>): Promise<E.Either<Failure, A>> => {
  try {
    return E.right(await steps())
  } catch (error) {
    if (isFailure(error)) return E.left(error)
    throw error
  }
}
