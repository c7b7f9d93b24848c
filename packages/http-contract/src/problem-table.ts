import type { JsonObject, Problem } from '@publishing-service/domain'

/** An error answer (specification, Errors): the body lacks only error_uri, which needs the service’s address. */
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
  /** For the reference page: what happened, and what to do. */
  readonly meaning: string
  readonly describe: (problem: P) => string
  readonly headers?: (problem: P) => Readonly<Record<string, string>>
  readonly info?: (problem: P) => JsonObject
}

type Tagged<T extends Problem['_tag']> = Extract<Problem, { readonly _tag: T }>

const size = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB` : `${bytes} bytes`

const bearer = 'Bearer realm="publishing service"'
const retryAfter = (problem: { readonly retryAfter: number }) => ({
  'Retry-After': String(problem.retryAfter),
})

/** Every problem with its status, code and words (decisions §3). */
export const problemTable: { readonly [T in Problem['_tag']]: Row<Tagged<T>> } = {
  BadParameters: {
    status: 400,
    error: 'bad_parameters',
    meaning:
      'Query parameters or attributes are not valid. error_info has an entry for each, saying what would be right; attributes within others have a dotted path such as items.2.embed_code.',
    describe: ({ faults }) =>
      faults.length === 1
        ? 'A parameter is not valid; see error_info.'
        : `${faults.length} parameters are not valid; see error_info.`,
    info: ({ faults }) =>
      Object.fromEntries(faults.map(({ path, message }) => [path === '' ? 'body' : path, message])),
  },
  BadRequest: {
    status: 400,
    error: 'bad_request',
    meaning: 'The request can’t be read: the body isn’t JSON, or broke off. The description says where.',
    describe: ({ reason }) => `The request can’t be read: ${reason}.`,
  },
  InvalidTokenRequest: {
    status: 400,
    error: 'invalid_request',
    meaning:
      'The token request lacks a field or has one twice. Send grant_type, api_key and api_secret as a form.',
    describe: ({ reason }) => `The token request is not complete: ${reason}.`,
  },
  UnsupportedGrantType: {
    status: 400,
    error: 'unsupported_grant_type',
    meaning: 'The only grant type is client_credentials.',
    describe: () => 'The only grant type is client_credentials.',
  },
  InvalidClient: {
    status: 401,
    error: 'invalid_client',
    meaning: 'The API key is unknown or revoked, or the secret is wrong.',
    describe: () => 'The API key is unknown or the secret is wrong.',
    headers: () => ({ 'WWW-Authenticate': bearer }),
  },
  Unauthorized: {
    status: 401,
    error: 'unauthorized',
    meaning: 'The request carries no token. Get one at /oauth/token and send it as Authorization: Bearer.',
    describe: () => 'A token is needed: send the header Authorization: Bearer <ACCESS_TOKEN>.',
    headers: () => ({ 'WWW-Authenticate': bearer }),
  },
  InvalidToken: {
    status: 401,
    error: 'invalid_token',
    meaning: 'The token is unknown, has expired, or its key was revoked. Get a new one at /oauth/token.',
    describe: () => 'The token is unknown or has expired: get a new one.',
    headers: () => ({ 'WWW-Authenticate': `${bearer}, error="invalid_token"` }),
  },
  Forbidden: {
    status: 403,
    error: 'forbidden',
    meaning: 'The token’s roles don’t allow this here. Use a key with a stronger role on this instance.',
    describe: () => 'The roles of this token do not allow this on this instance.',
  },
  NotFound: {
    status: 404,
    error: 'not_found',
    meaning: 'There is no such path or object, or the token’s role may not see it.',
    describe: ({ hint }) => hint ?? 'There is nothing at this address, or nothing that this token may see.',
  },
  MethodNotAllowed: {
    status: 405,
    error: 'method_not_allowed',
    meaning: 'The address exists but doesn’t take this method. The header Allow names those that it takes.',
    describe: ({ allowed }) => `This address takes ${allowed.join(', ')}.`,
    headers: ({ allowed }) => ({ Allow: allowed.join(', ') }),
  },
  NotAcceptable: {
    status: 406,
    error: 'not_acceptable',
    meaning: 'The header Accept asks for a format that there isn’t. JSON is the only one.',
    describe: () => 'The only format is application/json: allow it in the header Accept.',
  },
  InUse: {
    status: 409,
    error: 'in_use',
    meaning: 'The object can’t be deleted while others are in it. Move or delete those first.',
    describe: ({ by }) => `It still holds ${by}: move or delete those first.`,
  },
  Gone: {
    status: 410,
    error: 'gone',
    meaning: 'This part of the API was removed. The description names what took its place.',
    describe: ({ instead }) => `This part of the API was removed; use ${instead}.`,
  },
  PreconditionFailed: {
    status: 412,
    error: 'precondition_failed',
    meaning:
      'The object isn’t in the state that If-Match or If-None-Match asked for. Read it again, then decide.',
    describe: () => 'The object has changed, or exists already: read it again.',
  },
  TooLarge: {
    status: 413,
    error: 'too_large',
    meaning:
      'The body is larger than the limit. JSON bodies and the MIME type groups of files have limits of their own.',
    describe: ({ limit }) => `The body is larger than the limit of ${size(limit)}.`,
  },
  UnsupportedMediaType: {
    status: 415,
    error: 'unsupported_media_type',
    meaning: 'The body is declared as a type, charset or encoding that the address doesn’t take.',
    describe: ({ expected }) => `The body must be ${expected}.`,
  },
  RangeNotSatisfiable: {
    status: 416,
    error: 'range_not_satisfiable',
    meaning: 'The range lies beyond the data. The header Content-Range says how long it is.',
    describe: ({ size: bytes }) => `The range lies beyond the data, which is ${bytes} bytes long.`,
    headers: ({ size: bytes }) => ({ 'Content-Range': `bytes */${bytes}` }),
  },
  TooManyRequests: {
    status: 429,
    error: 'too_many_requests',
    meaning: 'Too many failed attempts, or too many requests at once. Wait as long as Retry-After says.',
    describe: ({ retryAfter: seconds }) => `Too many attempts: wait ${seconds} s.`,
    headers: retryAfter,
  },
  Unavailable: {
    status: 503,
    error: 'unavailable',
    meaning:
      'A part that the service needs is out of reach, and the description says which, or it is shutting down. Try again after Retry-After.',
    describe: ({ part }) =>
      part === undefined
        ? 'The service can’t do this right now: try again shortly.'
        : `The ${part} is out of reach right now: try again shortly.`,
    headers: retryAfter,
  },
  InternalError: {
    status: 500,
    error: 'internal_error',
    meaning: 'A defect of the service. Report it with the X-Request-Id of the answer.',
    describe: () => 'The service failed. Report this with the X-Request-Id of this answer.',
  },
}

/** The answer to a problem. */
export const errorAnswer = <P extends Problem>(problem: P): ErrorAnswer => {
  const row = problemTable[problem._tag] as unknown as Row<P>
  return {
    status: row.status,
    headers: row.headers?.(problem) ?? {},
    error: row.error,
    description: row.describe(problem),
    ...(row.info === undefined ? {} : { info: row.info(problem) }),
  }
}

export const errorBody = ({ error, description, info }: ErrorAnswer, base: string): JsonObject => ({
  error,
  error_description: description,
  error_uri: `${base}/docs/errors#${error}`,
  ...(info === undefined ? {} : { error_info: info }),
})
