/** Faults of what was sent, and problems: why a request fails. */

/** The kinds of faults, for code that has to tell them apart. They are not part of responses. */
export type FaultCode =
  /** Nothing was sent, or something empty, where a value is necessary. */
  | 'required'
  /** The value is of another JSON type. */
  | 'type'
  /** The value is not one of a closed set. */
  | 'choice'
  /** A text has too few or too many characters, or a list too few or too many items. */
  | 'length'
  /** A number is outside its bounds, or a time before another one. */
  | 'range'
  /** A text does not have the form of its kind, such as a date or a UUID. */
  | 'format'
  /** A text is not accepted as markup. */
  | 'markup'
  /** The object that the value names does not exist, or is not of the right kind. */
  | 'reference'
  /** Another object has the value, which must be unique. */
  | 'taken'
  /** The value cannot be changed. */
  | 'fixed'
  /** No attribute or parameter has the name. */
  | 'unknown'
  /** The same name was sent more than once. */
  | 'repeated'
  /** A query parameter has a value that is not accepted. */
  | 'parameter'
  /** The value needs the directory add-on. */
  | 'addon'
  /** The result would exceed a limit of the service. */
  | 'limit'
  /** The value contradicts another one, or the state of the object. */
  | 'rule'
  /** The effects of the request have to be confirmed. */
  | 'confirmation'

/** One error of an input: where (dotted path, empty for the whole), of which kind, and what is accepted, in English. */
export type Fault = { readonly path: string; readonly code: FaultCode; readonly message: string }

export const fault = (path: string, code: FaultCode, message: string): Fault => ({ path, code, message })

const join = (outer: string, inner: string): string => (inner === '' ? outer : `${outer}.${inner}`)

/**
 * The faults or references of a part, with paths from the whole: `embed_code` within `items.2` is `items.2.embed_code`.
 */
export const within = <A extends { readonly path: string }>(
  path: string | number,
  parts: readonly A[],
): readonly A[] => parts.map((inner) => ({ ...inner, path: join(String(path), inner.path) }))

const wholesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index))

/**
 * The first fault of each path: error_info has one entry per attribute (docs/behaviour/writing.md#all-faults). Faults of
 * a whole are dropped after a fault of one of its parts.
 */
export const firstPerPath = (faults: readonly Fault[]): readonly Fault[] => {
  const covered = new Set<string>()
  const first: Fault[] = []
  for (const each of faults) {
    if (covered.has(each.path)) continue
    first.push(each)
    for (const path of [each.path, ...wholesOf(each.path)]) covered.add(path)
  }
  return first
}

/**
 * Why a caller may not do something: the roles do not permit the action; or they permit it only for drafts that the same
 * API user created, and the object is another's, or is or becomes published (docs/roles.md); or only in a session of the
 * dashboard, shortly after a sign-in; or not from a page of another origin.
 */
export type ForbiddenReason =
  'role' | 'object of another' | 'publication' | 'setting' | 'session' | 'sign-in' | 'other page'

/** Every reason why a request can fail, without status and text (docs/behaviour/errors.md). */
export type AnyProblem =
  | { readonly _tag: 'BadParameters'; readonly faults: readonly Fault[] }
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | { readonly _tag: 'InvalidTokenRequest'; readonly reason: string }
  | { readonly _tag: 'UnsupportedGrantType' }
  | { readonly _tag: 'InvalidClient' }
  | { readonly _tag: 'Unauthorized' }
  | { readonly _tag: 'SignInFailed' }
  | { readonly _tag: 'SecondFactorNeeded' }
  | { readonly _tag: 'LinkInvalid' }
  | { readonly _tag: 'InvalidToken' }
  | { readonly _tag: 'Forbidden'; readonly reason: ForbiddenReason }
  | { readonly _tag: 'NotFound'; readonly hint?: string }
  | { readonly _tag: 'MethodNotAllowed'; readonly allowed: readonly string[]; readonly hint?: string }
  | { readonly _tag: 'NotAcceptable' }
  | { readonly _tag: 'RequestTimeout'; readonly seconds: number }
  | { readonly _tag: 'InUse'; readonly by: string }
  | { readonly _tag: 'TooManyKeys'; readonly limit: number }
  | { readonly _tag: 'Gone'; readonly instead: string }
  | { readonly _tag: 'CursorExpired' }
  | { readonly _tag: 'PreconditionFailed' }
  /** `own` are those of the attributes that nobody but the caller has changed since. */
  | {
      readonly _tag: 'DraftConflict'
      readonly attributes: readonly string[]
      readonly own: readonly string[]
    }
  | { readonly _tag: 'TooLarge'; readonly limit: number }
  | { readonly _tag: 'UnsupportedMediaType'; readonly expected: string }
  | { readonly _tag: 'RangeNotSatisfiable'; readonly size: number }
  | { readonly _tag: 'TooManyRequests'; readonly retryAfter: number }
  | { readonly _tag: 'Unavailable'; readonly retryAfter: number; readonly part?: string }
  | { readonly _tag: 'InsufficientStorage'; readonly retryAfter: number }
  | { readonly _tag: 'InternalError' }

export type ProblemTag = AnyProblem['_tag']

/** The problems that follow from what an operation is, by what they follow from. No operation declares them. */
export const impliedProblems = {
  always: ['BadRequest', 'InternalError', 'Unavailable'],
  limit: ['TooManyRequests'],
  input: ['BadParameters'],
  token: ['Unauthorized', 'InvalidToken', 'Forbidden', 'NotFound'],
  write: ['PreconditionFailed'],
  growth: ['TooLarge'],
} as const satisfies Readonly<Record<string, readonly ProblemTag[]>>

type ImpliedTag = (typeof impliedProblems)[keyof typeof impliedProblems][number]

export type ProblemsByTag = { readonly [P in AnyProblem as P['_tag']]: P }

/** Why an operation can fail that declares the problems `F`; without them, why every operation can. */
export type Problem<F extends ProblemTag = never> = ProblemsByTag[ImpliedTag | F]

/** The problems that an operation declares, by the type of its declaration. */
export type DeclaredBy<A> = A extends { readonly fails: infer T } ? Extract<keyof T, ProblemTag> : never

/** The problems that an operation declares: by tag, whether it can fail so. */
export type Fails<F extends ProblemTag = never> = [F] extends [never]
  ? { readonly fails?: Readonly<Partial<Record<ProblemTag, boolean>>> }
  : { readonly fails: Readonly<Record<F, boolean>> & Readonly<Partial<Record<ProblemTag, boolean>>> }

/** Maximum number of faults in one problem: each of thousands of items can have one. */
export const mostFaults = 1000

export const badParameters = (faults: readonly Fault[]): Problem => ({
  _tag: 'BadParameters',
  faults: faults.slice(0, mostFaults),
})
export const notFound: Problem = { _tag: 'NotFound' }
/** The feed of changes does not have all changes since a place. */
export const cursorExpired: Problem<'CursorExpired'> = { _tag: 'CursorExpired' }
/** The roles of the caller do not permit the action. */
export const forbidden: Problem = { _tag: 'Forbidden', reason: 'role' }
