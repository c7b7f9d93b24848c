/**
 * What the domain uses of fp-ts and io-ts. The bare module paths of fp-ts pass the type check under nodenext and fail at run
 * time, so only this file and entries/fp.ts import it.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

export { constNull, pipe } from 'fp-ts/lib/function.js'
export { E, t }
export type { Either } from 'fp-ts/lib/Either.js'
export type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** A codec whose failures have the message that `read` returns. */
export const codecOf = <A>(
  name: string,
  read: (input: unknown) => E.Either<string, A>,
): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    name,
    (input): input is A => E.isRight(read(input)),
    (input, context) => {
      const result = read(input)
      return E.isRight(result) ? t.success(result.right) : t.failure(input, context, result.left)
    },
    t.identity,
  )
