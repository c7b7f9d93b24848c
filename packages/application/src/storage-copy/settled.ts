/** The steps of a copy: what fails on the way is thrown as it is, and becomes a value again where the copy ends. */
import { E, pipe, TE, type TaskEither } from '@publishing-service/domain'
import type { VersionConflict } from '@publishing-service/ports'
import type { CopyRefusal } from './copy-refusal.js'

/** The task's success; throws its failure. */
export const settled = async <F, A>(task: TaskEither<F, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw result.left
  return result.right
}

/** Runs tasks at once; throws the first failure, once all have ended. */
export const allSettled = async <F, A>(tasks: readonly TaskEither<F, A>[]): Promise<void> => {
  const results = await Promise.all(tasks.map((task) => task()))
  const failed = results.find(E.isLeft)
  if (failed !== undefined) throw failed.left
}

/** A write to the target, where a conflict tells that somebody else writes there too. */
export const asOnlyWriter = <F extends { readonly _tag: string }, A>(
  write: TaskEither<F | VersionConflict, A>,
): TaskEither<F | CopyRefusal, A> =>
  pipe(
    write,
    TE.mapLeft((failure): F | CopyRefusal =>
      failure._tag === 'VersionConflict' ? { _tag: 'CopyOvertaken' } : (failure as F),
    ),
  )
