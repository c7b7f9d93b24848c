/**
 * Failures inside the application. A step that fails throws the failure, which ends the operation; `attempt` returns it as
 * a value, for code that continues after it (docs/decisions/0078-failures-end-operations.md).
 */
import { badParameters, type Fault, type Problem, type ProblemTag } from '@publishing-service/domain'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { AnyFailure, Fail, Failure, Outcome } from './failure.js'

const isFailureOf = <F extends ProblemTag>(error: unknown): error is Failure<F> =>
  typeof error === 'object' && error !== null && '_tag' in error && !(error instanceof Error)

/** Failures are values with a tag; defects are instances of Error. */
export const isFailure = (error: unknown): error is AnyFailure => isFailureOf<ProblemTag>(error)

/** Throws any failure. Who runs an operation hands it over as what the operation may fail with. */
export const failWithAny: Fail<ProblemTag> = (failure) => {
  throw failure
}

/** Ends an operation with a failure that none declares. */
export const fail: Fail = (failure) => failWithAny(failure)

/** Returns the value of a success; throws a failure. */
export const unwrap = <F extends Failure, A>(outcome: E.Either<F, A>): A =>
  E.isLeft(outcome) ? fail(outcome.left) : outcome.right

/** Throws the problem, if there is one. */
export const throwIf = (problem: Problem | null): void => {
  if (problem !== null) fail(problem)
}

/** Returns input that was parsed; throws BadParameters with its faults. */
export const accepted = <A>(parsed: E.Either<readonly Fault[], A>): A => {
  if (E.isLeft(parsed)) return fail(badParameters(parsed.left))
  return parsed.right
}

type Parsed<A> = E.Either<readonly Fault[], A>

/** Both values, or the faults of both. */
export const allOf = <A, B>(one: Parsed<A>, other: Parsed<B>): Parsed<readonly [A, B]> => {
  if (E.isRight(one) && E.isRight(other)) return E.right([one.right, other.right])
  return E.left([one, other].flatMap((each) => (E.isLeft(each) ? each.left : [])))
}

/** Runs a task and returns its value; throws its failure. */
export const orThrow = async <F extends Failure, A>(task: TaskEither<F, A>): Promise<A> =>
  unwrap(await task())

/** The same for any failure, for who runs operations and reports how they end. */
export const orThrowAny = async <A>(task: Outcome<A, ProblemTag>): Promise<A> => {
  const outcome = await task()
  return E.isLeft(outcome) ? failWithAny(outcome.left) : outcome.right
}

/**
 * Runs steps of which each may throw a failure, and returns it as a value. What they throw otherwise is a defect. The steps
 * fail with the problems `F`, for which they take `failWith`.
 */
export const attempt = async <A, F extends ProblemTag = never>(
  steps: (failWith: Fail<F>) => Promise<A>,
): Promise<E.Either<Failure<F>, A>> => {
  try {
    return E.right(await steps(failWithAny))
  } catch (error) {
    if (isFailureOf<F>(error)) return E.left(error)
    throw error
  }
}
