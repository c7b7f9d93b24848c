import type { ForbiddenReason, AnyProblem, ProblemTag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import { documentationPages } from './documentation-pages.js'
import { sizeText } from './limits.js'
import type { ResponseHeader } from './response-headers.js'

/** An error response (docs/behaviour/errors.md#body) without error_uri, which needs the address of the service. */
export type ErrorResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: string
  readonly description: string
  readonly info?: JsonObject
}

type Row<P extends AnyProblem> = {
  readonly status: number
  readonly error: string
  /** For documentation: what happened. */
  readonly meaning: string
  /** For documentation: what to do. */
  readonly remedy: string
  /** An example for documents. */
  readonly example: Omit<P, '_tag'>
  readonly describe: (problem: P) => string
  readonly headers?: { readonly [H in ResponseHeader]?: (problem: P) => string }
  readonly info?: { readonly schema: Schema; readonly of: (problem: P) => JsonObject }
}

type Tagged<T extends ProblemTag> = Extract<AnyProblem, { readonly _tag: T }>

const bearer = 'Bearer realm="publishing service"'
const retryAfter = {
  'Retry-After': (problem: { readonly retryAfter: number }) => String(problem.retryAfter),
} as const

/** Maximum number of entries of error_info: a body can have a fault for every few bytes. */
const maxReportedFaults = 200

const ownDraftsOnly =
  'The role contributor changes and deletes only drafts that the same API user created, and does not publish. A file is a draft until it has data.'

const forbiddenBecause: Readonly<Record<ForbiddenReason, string>> = {
  role: 'The roles of this token do not allow this on this instance.',
  'object of another': ownDraftsOnly,
  publication: ownDraftsOnly,
  setting: 'A setting of this instance does not allow this.',
  session: 'Only a person who is signed in to the dashboard may do this, not the token of a key.',
  'sign-in': 'This needs a sign-in within the last 15 minutes: sign in again.',
  'other page':
    'A page of another origin has sent this. Only pages of the service sign people in and out; for programs, leave out Origin and Sec-Fetch-Site.',
}

/** Every problem with its status, code and text (docs/behaviour/errors.md). */
export const problemTable: { readonly [T in ProblemTag]: Row<Tagged<T>> } = {
  BadParameters: {
    status: 400,
    error: 'bad_parameters',
    example: { faults: [{ path: 'title', code: 'required', message: 'must not be empty' }] },
    meaning: `Query parameters or attributes are not valid. \`error_info\` has an entry for each, of the first ${maxReportedFaults}; attributes within others have a dotted path such as \`items.2.embed_code\`.`,
    remedy: 'Correct every entry of `error_info`: each states what is accepted. Nothing was changed.',
    describe: ({ faults: { length } }) => {
      if (length === 1) return 'A parameter is not valid; see error_info.'
      const all = `${length} parameters are not valid; see error_info`
      const more = length - maxReportedFaults
      return more > 0
        ? `${all}, which has the first ${maxReportedFaults}; ${more} more are left out.`
        : `${all}.`
    },
    info: {
      schema: {
        type: 'object',
        description:
          'What is accepted for each parameter or attribute that is not valid, by its name or path.',
        additionalProperties: { type: 'string', description: 'What is accepted.' },
      },
      of: ({ faults }) =>
        Object.fromEntries(
          faults
            .slice(0, maxReportedFaults)
            .map(({ path, message }) => [path === '' ? 'body' : path, message]),
        ),
    },
  },
  BadRequest: {
    status: 400,
    error: 'bad_request',
    example: { reason: 'the body ends too early, at line 1, column 12' },
    meaning:
      'The request cannot be read: the body is not JSON, or it is incomplete. The description states the position.',
    remedy: 'Correct the request at that position, and send it again.',
    describe: ({ reason }) => `The request cannot be read: ${reason}.`,
  },
  InvalidTokenRequest: {
    status: 400,
    error: 'invalid_request',
    example: { reason: 'the form lacks api_secret' },
    meaning: 'A field of the form to `/oauth/token` or `/oauth/revoke` is missing or duplicate.',
    remedy:
      'Send a form with each field once: `grant_type`, `api_key` and `api_secret` for a token, `token` to revoke one.',
    describe: ({ reason }) => `The request is not complete: ${reason}.`,
  },
  UnsupportedGrantType: {
    status: 400,
    error: 'unsupported_grant_type',
    example: {},
    meaning: 'The grant type of the token request is not supported.',
    remedy: 'Send `grant_type=client_credentials`, the only one.',
    describe: () => 'The only grant type is client_credentials.',
  },
  InvalidClient: {
    status: 401,
    error: 'invalid_client',
    example: {},
    meaning: 'The API key is unknown or revoked, or the secret is wrong. The response does not state which.',
    remedy:
      'Check both. If the secret is lost, ask the operator for a new key: secrets are stored only as hashes.',
    describe: () => 'The API key is unknown or the secret is wrong.',
    headers: { 'WWW-Authenticate': () => bearer },
  },
  Unauthorized: {
    status: 401,
    error: 'unauthorized',
    example: {},
    meaning: 'The request has no token.',
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
      'Get a new token at `/oauth/token` and send the request again. If that returns `invalid_client`, the key was revoked.',
    describe: () => 'The token is unknown or has expired: get a new one.',
    headers: { 'WWW-Authenticate': () => `${bearer}, error="invalid_token"` },
  },
  SignInFailed: {
    status: 401,
    error: 'sign_in_failed',
    example: {},
    meaning:
      'Nobody can be signed in with this: an address, a password, a code or a passkey is wrong, or the account is disabled.',
    remedy: 'Check both, sign in another way, or ask an admin for a link.',
    describe: () => 'Nobody can be signed in with this: check what was typed, or ask an admin for a link.',
    headers: { 'WWW-Authenticate': () => bearer },
  },
  SecondFactorNeeded: {
    status: 401,
    error: 'second_factor_needed',
    example: {},
    meaning: 'The password is right, and the account has one-time codes.',
    remedy: 'Send the same again with `code`: a one-time code, or a recovery code.',
    describe: () => 'A one-time code is needed too: send it, or a recovery code, as code.',
    headers: { 'WWW-Authenticate': () => bearer },
  },
  LinkInvalid: {
    status: 410,
    error: 'link_invalid',
    example: {},
    meaning: 'The link was used or revoked, or has expired, or another one has taken its place.',
    remedy: 'Ask for another link.',
    describe: () => 'The link was used or revoked, or has expired: ask for another one.',
  },
  Forbidden: {
    status: 403,
    error: 'forbidden',
    example: { reason: 'role' },
    meaning: 'The roles of the token do not permit this on this instance.',
    remedy:
      'Use a key with a stronger role on this instance. The token response lists the instances and roles of a key.',
    describe: ({ reason }) => forbiddenBecause[reason],
  },
  NotFound: {
    status: 404,
    error: 'not_found',
    example: {},
    meaning: 'The path or object does not exist, or the role of the token may not see it.',
    remedy:
      'Check the address. Use the addresses in `url` of responses, and read `download_url` again before each download.',
    describe: ({ hint }) => hint ?? 'There is nothing at this address, or nothing that this token may see.',
  },
  MethodNotAllowed: {
    status: 405,
    error: 'method_not_allowed',
    example: { allowed: ['GET', 'HEAD', 'OPTIONS'] },
    meaning: 'The address exists but does not accept this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
    describe: ({ allowed, hint }) => hint ?? `This address accepts ${allowed.join(', ')}.`,
    headers: { Allow: ({ allowed }) => allowed.join(', ') },
  },
  NotAcceptable: {
    status: 406,
    error: 'not_acceptable',
    example: {},
    meaning: 'The header `Accept` does not accept JSON, which is the only format.',
    remedy: 'Leave `Accept` out, or let it contain `application/json`.',
    describe: () => 'The only format is application/json: allow it in the header Accept.',
  },
  RequestTimeout: {
    status: 408,
    error: 'request_timeout',
    example: { seconds: 20 },
    meaning: 'The body took too long from its first byte to its last. The description states the limit.',
    remedy: 'Send the body without pauses, over a faster connection. Nothing was changed.',
    describe: ({ seconds }) => `The body took longer than ${seconds} s.`,
  },
  InUse: {
    status: 409,
    error: 'in_use',
    example: { by: 'content' },
    meaning: 'The object cannot be deleted while others are in it.',
    remedy: 'Move or delete those first.',
    describe: ({ by }) => `It still contains ${by}: move or delete those first.`,
  },
  TooManyKeys: {
    status: 409,
    error: 'too_many_keys',
    example: { limit: 20 },
    meaning: 'The API user has as many keys that are not revoked as a user may have.',
    remedy: 'Revoke a key that is not needed, or create another user.',
    describe: ({ limit }) => `The user has ${limit} keys that are not revoked: revoke one of them first.`,
  },
  Gone: {
    status: 410,
    error: 'gone',
    example: { instead: 'the media slots of content, /{iid}/content/{uuid}/slots' },
    meaning: 'This part of the API was removed.',
    remedy: 'Use the replacement in the description.',
    describe: ({ instead }) => `This part of the API was removed; use ${instead}.`,
  },
  CursorExpired: {
    status: 410,
    error: 'cursor_expired',
    example: {},
    meaning: 'The place in the feed of changes is older than the oldest change that the feed has.',
    remedy: 'Read `since=now`, then everything that you need, and go on with `next` of that response.',
    describe: () =>
      'The feed does not have all changes since this place any more: start again with since=now, and read everything that you need after that.',
  },
  PreconditionFailed: {
    status: 412,
    error: 'precondition_failed',
    example: {},
    meaning:
      'The object does not meet `If-Match` or `If-None-Match`: it was changed since, or it exists already.',
    remedy: 'Read the object again, reapply the change, and send the new `ETag`.',
    describe: () => 'The object has changed, or exists already: read it again.',
  },
  DraftConflict: {
    status: 412,
    error: 'draft_conflict',
    example: { attributes: ['title'], own: [] },
    meaning:
      'The object has changed since the draft was made of it, in attributes or parts that the draft changes too. `error_info` names them, and says where only the caller has changed them.',
    remedy:
      'Compare both, change the draft, and send it the present version of the object as `based_on`. Then publish it.',
    describe: () => 'The object has changed since the draft was made of it; see error_info.',
    info: {
      schema: {
        type: 'object',
        description: 'The attributes and parts that both have changed, by their names.',
        additionalProperties: { type: 'string', description: 'What has happened.' },
      },
      of: ({ attributes, own }) =>
        Object.fromEntries(
          attributes.map((name) => [
            name,
            own.includes(name) ? 'was changed since, only by yourself' : 'was changed since',
          ]),
        ),
    },
  },
  TooLarge: {
    status: 413,
    error: 'too_large',
    example: { limit: 5 * 1024 * 1024 },
    meaning:
      'The body is larger than the limit. JSON bodies and each MIME type group of files have separate limits.',
    remedy: 'Send less. The operator of the service can raise the limits.',
    describe: ({ limit }) => `The body is larger than the limit of ${sizeText(limit)}.`,
  },
  UnsupportedMediaType: {
    status: 415,
    error: 'unsupported_media_type',
    example: { expected: 'JSON, declared as application/json' },
    meaning: 'The address does not accept the declared type, charset or encoding of the body.',
    remedy: 'Send what the description states, and declare it in `Content-Type`.',
    describe: ({ expected }) => `The body must be ${expected}.`,
  },
  RangeNotSatisfiable: {
    status: 416,
    error: 'range_not_satisfiable',
    example: { size: 1024 },
    meaning: 'The range starts after the end of the data. The header `Content-Range` contains its size.',
    remedy: 'Request a range within that size, or all of the data without a range.',
    describe: ({ size: bytes }) => `The range starts after the end of the data, which has ${bytes} bytes.`,
    headers: { 'Content-Range': ({ size: bytes }) => `bytes */${bytes}` },
  },
  TooManyRequests: {
    status: 429,
    error: 'too_many_requests',
    example: { retryAfter: 60 },
    meaning:
      'The client has sent as many requests as its limit allows, has failed to sign in too often, or has too many images that wait to be scaled. `RateLimit-Policy` and `RateLimit` describe the first of these limits.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then send the request again.',
    describe: ({ retryAfter: seconds }) => `Too many requests: wait ${seconds} s.`,
    headers: retryAfter,
  },
  Unavailable: {
    status: 503,
    error: 'unavailable',
    example: { retryAfter: 5, part: 'document store' },
    meaning:
      'A part that the service needs is unavailable (the description states which), too many responses wait until their clients read them, or the service is shutting down.',
    remedy:
      'Try again after the number of seconds in `Retry-After`. Writes that were confirmed before are stored.',
    describe: ({ part }) =>
      part === undefined
        ? 'The service is temporarily unavailable: try again shortly.'
        : `The ${part} is temporarily unavailable: try again shortly.`,
    headers: retryAfter,
  },
  InsufficientStorage: {
    status: 507,
    error: 'insufficient_storage',
    example: { retryAfter: 60 },
    meaning:
      'The service’s storage is full. Nothing was changed. Reading still works, and signing in and deleting as long as the store has reserved space.',
    remedy:
      'Delete objects that are not needed, large files first, or ask the operator for more storage. Then send the request again.',
    describe: () =>
      'The service’s storage is full, and nothing was changed: delete objects to free space, or try again later.',
    headers: retryAfter,
  },
  InternalError: {
    status: 500,
    error: 'internal_error',
    example: {},
    meaning: 'A defect of the service. The response has no details.',
    remedy: 'Report it with the `X-Request-Id` of the response, which is also in the log of the service.',
    describe: () => 'The service failed. Report this with the X-Request-Id of this response.',
  },
}

export const isProblemTag = (name: string): name is ProblemTag => Object.hasOwn(problemTable, name)

/** The response for a problem. */
export const errorResponse = <P extends AnyProblem>(problem: P): ErrorResponse => {
  const row = problemTable[problem._tag] as unknown as Row<P>
  return {
    status: row.status,
    headers: Object.fromEntries(Object.entries(row.headers ?? {}).map(([name, of]) => [name, of(problem)])),
    error: row.error,
    description: row.describe(problem),
    ...(row.info === undefined ? {} : { info: row.info.of(problem) }),
  }
}

export const errorBody = ({ error, description, info }: ErrorResponse, base: string): JsonObject => ({
  error,
  error_description: description,
  error_uri: `${base}${documentationPages.errors.path}#${error}`,
  ...(info === undefined ? {} : { error_info: info }),
})

/** The body of an example response for documents; `base` is the address that links start with. */
export const exampleError = (tag: ProblemTag, base: string): JsonObject =>
  errorBody(errorResponse({ _tag: tag, ...problemTable[tag].example } as AnyProblem), base)
