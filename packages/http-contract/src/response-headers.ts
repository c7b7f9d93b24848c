import type { Schema } from '@publishing-service/domain'

const text = { type: 'string' } as const

export type ResponseHeaderDeclaration = {
  readonly description: string
  readonly schema: Schema
  /** Not on every answer that can have it. */
  readonly optional?: true
}

/** Every header of answers that means something to clients, with what it says. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names the request in the service’s log: the client’s own, when it is a sane token.',
    schema: { ...text, pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'Cache-Control': { description: 'How long the answer may be kept, and by whom.', schema: text },
  ETag: {
    description: 'Validator of the answer, for If-None-Match on reads and If-Match on writes.',
    schema: { ...text, pattern: '^"[^"]*"$' },
  },
  Vary: {
    description: 'What the answer depends on beside its address. Absent from downloads without a token.',
    schema: text,
    optional: true,
  },
  Location: { description: 'The address of the page.', schema: { ...text, format: 'uri-reference' } },
  Link: {
    description: 'The pages beside this one, `next` and `prev`, where there are any.',
    schema: text,
    optional: true,
  },
  Deprecation: { description: 'Says that the endpoint is deprecated.', schema: { ...text, enum: ['true'] } },
  Pragma: { description: 'Keeps old caches from keeping the token.', schema: text },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong with the token.',
    schema: text,
  },
  Allow: { description: 'The methods that the address takes.', schema: text },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description:
      'The limit that the request counts against: `"key"` for the API key of a valid token, `"address"` for the remote address of other requests; `q` requests in `w` seconds. Absent where the service limits no rates.',
    schema: { ...text, pattern: '^"(key|address)";q=[0-9]+;w=[0-9]+$' },
    optional: true,
  },
  RateLimit: {
    description: 'What is left of that limit: `r` requests, for the next `t` seconds.',
    schema: { ...text, pattern: '^"(key|address)";r=[0-9]+;t=[0-9]+$' },
    optional: true,
  },
  'Content-Range': { description: 'Which bytes of how many these are.', schema: text },
  'Accept-Ranges': {
    description: 'That parts of the data can be asked for.',
    schema: { ...text, enum: ['bytes'] },
  },
  'Content-Disposition': { description: 'The name to save the data under.', schema: text },
  'X-Content-Type-Options': {
    description: 'Keeps browsers from guessing another type.',
    schema: { ...text, enum: ['nosniff'] },
  },
  'Content-Security-Policy': {
    description: 'Keeps browsers from running what it holds.',
    schema: text,
    optional: true,
  },
} as const satisfies Readonly<Record<string, ResponseHeaderDeclaration>>

export type ResponseHeader = keyof typeof responseHeaders
