/** Failures as exceptions, for work of many steps: a failure is thrown as it is, and is a value again where the work ends. */
import { E, type TaskEither } from '@publishing-service/domain'

/** The task's success; throws its failure. */
export const orThrow = async <F, A>(task: TaskEither<F, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw result.left
  return result.right
}

/** Runs tasks at once; throws the first failure, once all have ended. */
export const allOrThrow = async <F, A>(tasks: readonly TaskEither<F, A>[]): Promise<void> => {
  const results = await Promise.all(tasks.map((task) => task()))
  const failedResult = results.find(E.isLeft)
  if (failedResult !== undefined) throw failedResult.left
}
