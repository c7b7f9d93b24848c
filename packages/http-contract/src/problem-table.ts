import type { JsonObject, Problem, Schema } from '@publishing-service/domain'
import { documentationPages } from './documentation-pages.js'
import { sizeText } from './limits.js'
import type { ResponseHeader } from './response-headers.js'

/** An error answer (docs/behaviour/errors.md#body): the body lacks only error_uri, which needs the service’s address. */
export type ErrorAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: string
  readonly description: string
  readonly info?: JsonObject
}

type Row<P extends Problem> = {
  readonly status: number
  readonly error: string
  /** For documentation: what happened. */
  readonly meaning: string
  /** For documentation: what to do. */
  readonly remedy: string
  /** One of them, as documents show it. */
  readonly example: Omit<P, '_tag'>
  readonly describe: (problem: P) => string
  readonly headers?: { readonly [H in ResponseHeader]?: (problem: P) => string }
  readonly info?: { readonly schema: Schema; readonly of: (problem: P) => JsonObject }
}

type Tagged<T extends Problem['_tag']> = Extract<Problem, { readonly _tag: T }>

const bearer = 'Bearer realm="publishing service"'
const retryAfter = {
  'Retry-After': (problem: { readonly retryAfter: number }) => String(problem.retryAfter),
} as const

/** Entries of error_info: a body can have a fault for every few bytes of it. */
const maxToldFaults = 200

/** Every problem with its status, code and words (docs/behaviour/errors.md). */
export const problemTable: { readonly [T in Problem['_tag']]: Row<Tagged<T>> } = {
  BadParameters: {
    status: 400,
    error: 'bad_parameters',
    example: { faults: [{ path: 'title', message: 'must not be empty' }] },
    meaning: `Query parameters or attributes are not valid. \`error_info\` has an entry for each, of the first ${maxToldFaults}; attributes within others have a dotted path such as \`items.2.embed_code\`.`,
    remedy:
      'Correct every entry of `error_info`: each says what would be right. Nothing of the request was applied.',
    describe: ({ faults: { length } }) => {
      if (length === 1) return 'A parameter is not valid; see error_info.'
      const all = `${length} parameters are not valid; see error_info`
      const more = length - maxToldFaults
      return more > 0 ? `${all}, which has the first ${maxToldFaults}; ${more} more are not told.` : `${all}.`
    },
    info: {
      schema: {
        type: 'object',
        description:
          'For each parameter or attribute that isn’t valid, by its name or path: what would be right.',
        additionalProperties: { type: 'string', description: 'What would be right.' },
      },
      of: ({ faults }) =>
        Object.fromEntries(
          faults.slice(0, maxToldFaults).map(({ path, message }) => [path === '' ? 'body' : path, message]),
        ),
    },
  },
  BadRequest: {
    status: 400,
    error: 'bad_request',
    example: { reason: 'the body ends too early, at line 1, column 12' },
    meaning: 'The request can’t be read: the body isn’t JSON, or broke off. The description says where.',
    remedy: 'Mend the request at the place that the description names, and send it again.',
    describe: ({ reason }) => `The request can’t be read: ${reason}.`,
  },
  InvalidTokenRequest: {
    status: 400,
    error: 'invalid_request',
    example: { reason: 'the form lacks api_secret' },
    meaning: 'The token request lacks a field or has one twice.',
    remedy: 'Send `grant_type`, `api_key` and `api_secret` as a form, each once.',
    describe: ({ reason }) => `The token request is not complete: ${reason}.`,
  },
  UnsupportedGrantType: {
    status: 400,
    error: 'unsupported_grant_type',
    example: {},
    meaning: 'The token request asks for a grant type that there isn’t.',
    remedy: 'Send `grant_type=client_credentials`, the only one.',
    describe: () => 'The only grant type is client_credentials.',
  },
  InvalidClient: {
    status: 401,
    error: 'invalid_client',
    example: {},
    meaning: 'The API key is unknown or revoked, or the secret is wrong; which of them isn’t told.',
    remedy: 'Check both. If the secret is lost, have a new key made: secrets are kept only as hashes.',
    describe: () => 'The API key is unknown or the secret is wrong.',
    headers: { 'WWW-Authenticate': () => bearer },
  },
  Unauthorized: {
    status: 401,
    error: 'unauthorized',
    example: {},
    meaning: 'The request carries no token.',
    remedy: 'Get one at `/oauth/token` and send it as `Authorization: Bearer`.',
    describe: () => 'A token is needed: send the header Authorization: Bearer <ACCESS_TOKEN>.',
    headers: { 'WWW-Authenticate': () => bearer },
  },
  InvalidToken: {
    status: 401,
    error: 'invalid_token',
    example: {},
    meaning: 'The token is unknown, has expired, or its key was revoked.',
    remedy:
      'Get a new token at `/oauth/token` and send the request again. If that answers `invalid_client`, the key is at an end.',
    describe: () => 'The token is unknown or has expired: get a new one.',
    headers: { 'WWW-Authenticate': () => `${bearer}, error="invalid_token"` },
  },
  Forbidden: {
    status: 403,
    error: 'forbidden',
    example: {},
    meaning: 'The token’s roles don’t allow this here.',
    remedy:
      'Use a key with a stronger role on this instance. The token response lists the instances and roles of a key.',
    describe: ({ hint }) => hint ?? 'The roles of this token do not allow this on this instance.',
  },
  NotFound: {
    status: 404,
    error: 'not_found',
    example: {},
    meaning: 'There is no such path or object, or the token’s role may not see it.',
    remedy:
      'Check the address. Take the addresses of objects from url in answers, and fetch `download_url` anew each time.',
    describe: ({ hint }) => hint ?? 'There is nothing at this address, or nothing that this token may see.',
  },
  MethodNotAllowed: {
    status: 405,
    error: 'method_not_allowed',
    example: { allowed: ['GET', 'HEAD', 'OPTIONS'] },
    meaning: 'The address exists but doesn’t take this method.',
    remedy: 'Use one of those that the header `Allow` names.',
    describe: ({ allowed, hint }) => hint ?? `This address takes ${allowed.join(', ')}.`,
    headers: { Allow: ({ allowed }) => allowed.join(', ') },
  },
  NotAcceptable: {
    status: 406,
    error: 'not_acceptable',
    example: {},
    meaning: 'The header `Accept` asks for a format that there isn’t. JSON is the only one.',
    remedy: 'Leave `Accept` out, or let it contain `application/json`.',
    describe: () => 'The only format is application/json: allow it in the header Accept.',
  },
  RequestTimeout: {
    status: 408,
    error: 'request_timeout',
    example: { seconds: 20 },
    meaning:
      'The body took too long from its first byte to its last. The description says how long it may take.',
    remedy:
      'Send the body at once, over a connection that is fast enough. Nothing of the request was applied.',
    describe: ({ seconds }) => `The body took longer than ${seconds} s.`,
  },
  InUse: {
    status: 409,
    error: 'in_use',
    example: { by: 'content' },
    meaning: 'The object can’t be deleted while others are in it.',
    remedy: 'Move or delete those first.',
    describe: ({ by }) => `It still holds ${by}: move or delete those first.`,
  },
  Gone: {
    status: 410,
    error: 'gone',
    example: { instead: 'the media slots of content, /{iid}/content/{uuid}/slots' },
    meaning: 'This part of the API was removed.',
    remedy: 'Use what the description names: it took its place.',
    describe: ({ instead }) => `This part of the API was removed; use ${instead}.`,
  },
  PreconditionFailed: {
    status: 412,
    error: 'precondition_failed',
    example: {},
    meaning:
      'The object isn’t in the state that `If-Match` or `If-None-Match` asked for: somebody else changed it, or it exists already.',
    remedy: 'Read it again, decide anew on what it is now, and send the new `ETag`.',
    describe: () => 'The object has changed, or exists already: read it again.',
  },
  TooLarge: {
    status: 413,
    error: 'too_large',
    example: { limit: 5 * 1024 * 1024 },
    meaning:
      'The body is larger than the limit. JSON bodies and the MIME type groups of files have limits of their own.',
    remedy: 'Send less. Who runs the service can raise the limits.',
    describe: ({ limit }) => `The body is larger than the limit of ${sizeText(limit)}.`,
  },
  UnsupportedMediaType: {
    status: 415,
    error: 'unsupported_media_type',
    example: { expected: 'JSON, declared as application/json' },
    meaning: 'The body is declared as a type, charset or encoding that the address doesn’t take.',
    remedy: 'Send what the description names, and say so in `Content-Type`.',
    describe: ({ expected }) => `The body must be ${expected}.`,
  },
  RangeNotSatisfiable: {
    status: 416,
    error: 'range_not_satisfiable',
    example: { size: 1024 },
    meaning: 'The range lies beyond the data. The header `Content-Range` says how long it is.',
    remedy: 'Ask for a range within that length, or without a range for all of it.',
    describe: ({ size: bytes }) => `The range lies beyond the data, which is ${bytes} bytes long.`,
    headers: { 'Content-Range': ({ size: bytes }) => `bytes */${bytes}` },
  },
  TooManyRequests: {
    status: 429,
    error: 'too_many_requests',
    example: { retryAfter: 60 },
    meaning:
      'The client has sent as many requests as its limit allows, has failed to sign in too often, or has too many images that wait to be scaled. `RateLimit-Policy` and `RateLimit` tell of the first of these limits.',
    remedy: 'Wait as many seconds as `Retry-After` says, then send the request again.',
    describe: ({ retryAfter: seconds }) => `Too many requests: wait ${seconds} s.`,
    headers: retryAfter,
  },
  Unavailable: {
    status: 503,
    error: 'unavailable',
    example: { retryAfter: 5, part: 'document store' },
    meaning:
      'A part that the service needs is out of reach, and the description says which, or it is shutting down.',
    remedy: 'Try again after as many seconds as `Retry-After` says. What was acknowledged before is kept.',
    describe: ({ part }) =>
      part === undefined
        ? 'The service can’t do this right now: try again shortly.'
        : `The ${part} is out of reach right now: try again shortly.`,
    headers: retryAfter,
  },
  InsufficientStorage: {
    status: 507,
    error: 'insufficient_storage',
    example: { retryAfter: 60 },
    meaning:
      'The service’s storage is full. Nothing was changed. Reading, signing in and deleting still work.',
    remedy:
      'Delete what isn’t needed, best of all large files, or have more storage provided; then send the request again.',
    describe: () =>
      'The service’s storage is full, and nothing was changed: delete objects to make room, or try again later.',
    headers: retryAfter,
  },
  InternalError: {
    status: 500,
    error: 'internal_error',
    example: {},
    meaning: 'A defect of the service. Nothing of the inside is told.',
    remedy: 'Report it with the `X-Request-Id` of the answer, which is also in the service’s log.',
    describe: () => 'The service failed. Report this with the X-Request-Id of this answer.',
  },
}

/** The answer to a problem. */
export const errorAnswer = <P extends Problem>(problem: P): ErrorAnswer => {
  const row = problemTable[problem._tag] as unknown as Row<P>
  return {
    status: row.status,
    headers: Object.fromEntries(Object.entries(row.headers ?? {}).map(([name, of]) => [name, of(problem)])),
    error: row.error,
    description: row.describe(problem),
    ...(row.info === undefined ? {} : { info: row.info.of(problem) }),
  }
}

export const errorBody = ({ error, description, info }: ErrorAnswer, base: string): JsonObject => ({
  error,
  error_description: description,
  error_uri: `${base}${documentationPages.errors.path}#${error}`,
  ...(info === undefined ? {} : { error_info: info }),
})

/** An answer with this problem, as documents show it; `base` is the address that links start with. */
export const exampleError = (tag: Problem['_tag'], base: string): JsonObject =>
  errorBody(errorAnswer({ _tag: tag, ...problemTable[tag].example } as Problem), base)
