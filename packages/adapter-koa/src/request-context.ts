import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Identity, SignIn } from '@publishing-service/application'
import {
  endpoints,
  protectiveHeaders,
  rateLimit,
  rateLimitPolicy,
  requestId,
  prefersStrict,
  type RateReading,
} from '@publishing-service/http-contract'
import { forwardedAddress, forwardedHost, forwardedScheme, linkableHost } from './forwarded.js'
import type { HttpOptions } from './http-options.js'
import type { UnsentBodies } from './unsent-bodies.js'

/** The cache key of a response, and when it was requested, in milliseconds of the monotonic clock. */
export type CacheLookup = {
  readonly key: string
  readonly instance: number
  /** Whether the request accepts JSON. */
  readonly acceptsJson: boolean
  readonly since: number
}

/** A request with what the steps of its handling have determined. */
export type RequestContext = {
  readonly context: Context
  /** When it began, by `performance.now()`. */
  readonly began: number
  /** The request id of the service. */
  readonly id: string
  /** The request id that the client has sent; null if it has sent none. */
  readonly clientId: string | null
  /** The remote address; read at once, because it is unknown after the client disconnects. */
  readonly address: string
  /** The service's public address for this request (docs/behaviour/wire.md#links). */
  readonly base: string
  /** Whether unknown names and tolerated values are faults. */
  readonly isStrict: boolean
  readonly unsent: UnsentBodies
  /** The Content-Security-Policy of its responses, except of file data. */
  readonly policy: string
  /** Null before a token is identified, and if none is needed. */
  identity: Identity
  /** How the token request ended; null for other requests, and before it is decided. */
  signIn: SignIn | null
  /** Null if no rate limit counts the request. */
  rate: RateReading | null
  /** Where the response is cached; null where it is not. */
  cacheLookup: CacheLookup | null
}

/**
 * The address that links start with (docs/behaviour/wire.md#links): the configured one, or else the scheme and host of
 * the request.
 */
export const publicBase = (
  { req: { headers }, protocol, host, socket }: Context,
  { baseUrl, trustProxy }: Pick<HttpOptions, 'baseUrl' | 'trustProxy'>,
): string => {
  if (baseUrl !== null) return baseUrl
  const scheme = trustProxy ? forwardedScheme(headers['x-forwarded-proto']) : null
  const forwarded = trustProxy ? forwardedHost(headers['x-forwarded-host']) : null
  const { localAddress = 'localhost', localPort = 80 } = socket
  // For a request without a host that can be part of a link: the address that received it.
  const localHost = localAddress.includes(':')
    ? `[${localAddress}]:${localPort}`
    : `${localAddress}:${localPort}`
  return `${scheme ?? protocol}://${forwarded ?? linkableHost(host) ?? localHost}`
}

/** The address of the client (docs/behaviour/wire.md#client-address): the one that a trusted proxy names, or the peer. */
export const clientAddressOf = ({ req }: Context, { trustProxy }: Pick<HttpOptions, 'trustProxy'>): string =>
  (trustProxy ? forwardedAddress(req.headers['x-forwarded-for']) : null) ?? req.socket.remoteAddress ?? ''

const headerText = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'object' ? header.join(', ') : header

/** The request id that the client has sent; null if it has sent none. */
export const clientIdOf = ({ req: { headers } }: Context): string | null =>
  requestId(headerText(headers['x-request-id']))

/** Whether the client has sent `Prefer: handling=strict`. */
export const isStrictOf = ({ req: { headers } }: Context): boolean =>
  prefersStrict(headerText(headers['prefer']))

/** The instance number in a path segment; null if it has none. */
const instanceNumber = (segment: string): number | null =>
  /^[1-9]\d{0,8}$/.test(segment) ? Number(segment) : null

/** The first segments of the paths of the administration, such as `users`. */
const deploymentSegments = new Set(
  endpoints.flatMap(({ deployment, path }) => (deployment === undefined ? [] : [path.split('/')[1]])),
)

/** Whether a request is on the deployment rather than on an instance. */
export const isOnDeployment = ({ path }: Pick<Context, 'path'>): boolean =>
  deploymentSegments.has(path.split('/', 2)[1])

/** The instance of a request; null if its path has none. */
export const instanceOf = ({ path }: Context): number | null => {
  const slash = path.indexOf('/', 1)
  return instanceNumber(slash === -1 ? path.slice(1) : path.slice(1, slash))
}

const protectiveList = Object.entries(protectiveHeaders).flat()

/**
 * The headers of every response of an exchange, as a list in which names and values alternate. `policy` is its
 * Content-Security-Policy; null for none.
 */
export const exchangeHeaders = (
  exchange: RequestContext,
  policy: string | null = exchange.policy,
): string[] => {
  const { id, clientId, rate } = exchange
  const headers = ['X-Request-Id', clientId ?? id, ...protectiveList]
  if (policy !== null) headers.push('Content-Security-Policy', policy)
  if (rate !== null) headers.push('RateLimit-Policy', rateLimitPolicy(rate), 'RateLimit', rateLimit(rate))
  return headers
}

/**
 * Sets these headers on a response that has its other headers as an object. Responses that can be cached have them in one
 * list instead: Node.js writes headers of one list much faster.
 */
export const setExchangeHeaders = (
  exchange: RequestContext,
  policy: string | null = exchange.policy,
): void => {
  const { res } = exchange.context
  if (res.headersSent) return
  const headers = exchangeHeaders(exchange, policy)
  for (let index = 0; index < headers.length; index += 2)
    res.setHeader(String(headers[index]), String(headers[index + 1]))
  if (policy === null) res.removeHeader('Content-Security-Policy')
}

/** The request id of a log line, and the one that the client chose, if it did (docs/behaviour/wire.md#request-id). */
export const requestIds = ({ id, clientId }: RequestContext) => ({
  request: id,
  clientRequest: clientId ?? undefined,
})

/** Bytes of bodies that were sent, for the log: Node.js counts bytes by connection, headers included. */
const sent = new WeakMap<ServerResponse, number>()

/** Adds bytes of the body; a response to HEAD has none. */
export const addSent = (response: ServerResponse, bytes: number): void => {
  if (response.req.method !== 'HEAD') sent.set(response, sentBytes(response) + bytes)
}

/** Bytes of the body that have been sent until now. */
export const sentBytes = (response: ServerResponse): number => sent.get(response) ?? 0
