/**
 * The only file that imports fp-ts: its bare module paths pass the type check under nodenext and fail at run time, so
 * everything imports these namespaces from here. Other packages import io-ts from here too, so that there is one copy.
 */
export * as E from 'fp-ts/lib/Either.js'
export * as TE from 'fp-ts/lib/TaskEither.js'
export { pipe } from 'fp-ts/lib/function.js'
export * as t from 'io-ts'
export type { Either } from 'fp-ts/lib/Either.js'
export type { TaskEither } from 'fp-ts/lib/TaskEither.js'
