import type { Fault } from './fault.js'

/**
 * Why a caller may not do something: the roles do not permit the action; or they permit it only for drafts that the same
 * API user created, and the object is another's, or is or becomes published (docs/roles.md).
 */
export type ForbiddenReason = 'role' | 'object of another' | 'publication'

/** Every reason why a request can fail, without status and text (docs/behaviour/errors.md). */
export type Problem =
  | { readonly _tag: 'BadParameters'; readonly faults: readonly Fault[] }
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | { readonly _tag: 'InvalidTokenRequest'; readonly reason: string }
  | { readonly _tag: 'UnsupportedGrantType' }
  | { readonly _tag: 'InvalidClient' }
  | { readonly _tag: 'Unauthorized' }
  | { readonly _tag: 'InvalidToken' }
  | { readonly _tag: 'Forbidden'; readonly reason: ForbiddenReason }
  | { readonly _tag: 'NotFound'; readonly hint?: string }
  | { readonly _tag: 'MethodNotAllowed'; readonly allowed: readonly string[]; readonly hint?: string }
  | { readonly _tag: 'NotAcceptable' }
  | { readonly _tag: 'RequestTimeout'; readonly seconds: number }
  | { readonly _tag: 'InUse'; readonly by: string }
  | { readonly _tag: 'TooManyKeys'; readonly limit: number }
  | { readonly _tag: 'Gone'; readonly instead: string }
  | { readonly _tag: 'PreconditionFailed' }
  | { readonly _tag: 'TooLarge'; readonly limit: number }
  | { readonly _tag: 'UnsupportedMediaType'; readonly expected: string }
  | { readonly _tag: 'RangeNotSatisfiable'; readonly size: number }
  | { readonly _tag: 'TooManyRequests'; readonly retryAfter: number }
  | { readonly _tag: 'Unavailable'; readonly retryAfter: number; readonly part?: string }
  | { readonly _tag: 'InsufficientStorage'; readonly retryAfter: number }
  | { readonly _tag: 'InternalError' }

/** Maximum number of faults in one problem: each of thousands of items can have one. */
export const mostFaults = 1000

export const badParameters = (faults: readonly Fault[]): Problem => ({
  _tag: 'BadParameters',
  faults: faults.slice(0, mostFaults),
})
export const notFound: Problem = { _tag: 'NotFound' }
/** The roles of the caller do not permit the action. */
export const forbidden: Problem = { _tag: 'Forbidden', reason: 'role' }
