/** `Either` and `TaskEither` of fp-ts, and io-ts: other packages import them from here, so that there is one copy. */
export * from '../fp.js'
export * as TE from 'fp-ts/lib/TaskEither.js'
