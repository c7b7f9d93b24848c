/** Failures as exceptions, for tasks of many steps. The caller catches them and returns them as values. */
import { E, type TaskEither } from '@publishing-service/domain'

/** Returns the task's result; throws its failure. */
export const orThrow = async <F, A>(task: TaskEither<F, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw result.left
  return result.right
}

/** Runs tasks concurrently. Throws the first failure after all have ended. */
export const allOrThrow = async <F, A>(tasks: readonly TaskEither<F, A>[]): Promise<void> => {
  const results = await Promise.all(tasks.map((task) => task()))
  const failedResult = results.find(E.isLeft)
  if (failedResult !== undefined) throw failedResult.left
}
