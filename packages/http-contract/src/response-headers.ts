import type { Schema } from '@publishing-service/domain/declare'
import { ratePolicies } from '@publishing-service/access'

const text = { type: 'string' } as const
const policies = ratePolicies.join('|')

export type ResponseHeaderDeclaration = {
  readonly description: string
  readonly schema: Schema
  /** Whether it can be absent. */
  readonly optional?: true
}

/** Every response header that is meant for clients. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the service: the id that the client sent if it is valid, else a new one.',
    schema: { ...text, pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
  },
  'Cache-Control': { description: 'How long the response may be cached, and by which caches.', schema: text },
  ETag: {
    description: 'Entity tag of the response, for If-None-Match on reads and If-Match on writes.',
    schema: { ...text, pattern: '^"[^"]*"$' },
  },
  Vary: {
    description: 'The request headers that the response depends on. Absent from downloads without a token.',
    schema: text,
    optional: true,
  },
  Location: { description: 'The address to request instead.', schema: { ...text, format: 'uri-reference' } },
  Link: {
    description: 'The adjacent pages, `next` and `prev`, if there are any.',
    schema: text,
    optional: true,
  },
  Deprecation: { description: 'The endpoint is deprecated.', schema: { ...text, enum: ['true'] } },
  Pragma: { description: 'Prevents HTTP/1.0 caches from storing the token.', schema: text },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong with the token.',
    schema: text,
  },
  Allow: { description: 'The methods that the address accepts.', schema: text },
  'Retry-After': {
    description: 'The number of seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description:
      'The limit that the request counts against: `"key"` for the API user of a valid token, with all of its keys, `"public"` for the remote address of downloads and feeds without a token, `"address"` for that of other requests; `q` requests in `w` seconds. Absent if the service has no rate limits.',
    schema: { ...text, pattern: `^"(${policies})";q=[0-9]+;w=[0-9]+$` },
    optional: true,
  },
  RateLimit: {
    description: 'The rest of that limit: `r` requests, for the next `t` seconds.',
    schema: { ...text, pattern: `^"(${policies})";r=[0-9]+;t=[0-9]+$` },
    optional: true,
  },
  'Content-Range': { description: 'The range of bytes, and the size of the whole data.', schema: text },
  'Accept-Ranges': {
    description: 'Parts of the data can be requested.',
    schema: { ...text, enum: ['bytes'] },
  },
  'Content-Disposition': {
    description: 'Whether to display or save the data, and the file name.',
    schema: text,
  },
  'X-Content-Type-Options': {
    description: 'Prevents browsers from guessing another type.',
    schema: { ...text, enum: ['nosniff'] },
  },
  'Referrer-Policy': {
    description: 'Prevents browsers from telling other sites the address.',
    schema: { ...text, enum: ['no-referrer'] },
  },
  'Content-Security-Policy': {
    description:
      'Prevents browsers from running code in the response, and from showing it in pages of other sites. Absent from images, audio and video.',
    schema: text,
    optional: true,
  },
  'Content-Encoding': {
    description: 'How the response is compressed, if it is.',
    schema: { ...text, enum: ['br', 'gzip'] },
    optional: true,
  },
} as const satisfies Readonly<Record<string, ResponseHeaderDeclaration>>

export type ResponseHeader = keyof typeof responseHeaders

/** Headers of every response that protect it in browsers. */
export const protectiveHeaders = {
  'X-Content-Type-Options': responseHeaders['X-Content-Type-Options'].schema.enum[0],
  'Referrer-Policy': responseHeaders['Referrer-Policy'].schema.enum[0],
} as const

/** The Content-Security-Policy of responses that are not pages or files: no page shows them in a frame. */
export const dataPolicy = "frame-ancestors 'none'"
