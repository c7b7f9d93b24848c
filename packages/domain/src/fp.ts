/**
 * The one place that names fp-ts: its bare module paths type-check under nodenext and fail at run time, so
 * everything imports these namespaces from here.
 */
export * as E from 'fp-ts/lib/Either.js'
export * as TE from 'fp-ts/lib/TaskEither.js'
export { pipe } from 'fp-ts/lib/function.js'
export type { Either } from 'fp-ts/lib/Either.js'
export type { TaskEither } from 'fp-ts/lib/TaskEither.js'
