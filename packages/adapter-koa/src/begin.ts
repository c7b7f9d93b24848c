/** What is known of a request before its endpoint is found: where it arrived, who sends it, and how many more they may send. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { type AddressPolicy, rateWindow } from '@publishing-service/access'
import type { Identity } from '@publishing-service/application'
import type { TraceHeaders } from '@publishing-service/ports'
import {
  bearerToken,
  createRouteTable,
  dataPolicy,
  endpoints,
  isHost,
  linkableHost,
  prefersStrict,
  protectiveHeaders,
  requestId,
} from '@publishing-service/http-contract'
import { authenticatedSockets } from './connection-limit.js'
import { dashboardPolicy } from './dashboard.js'
import { documentationPolicy } from './documentation.js'
import { forwardedAddress, forwardedHost, forwardedScheme } from './forwarded.js'
import type { HttpOptions } from './http-options.js'
import { isOnDeployment, policyName, type RequestContext } from './request-context.js'
import type { Service } from './service.js'
import { sessionScheme, sessionTokenOf } from './session-cookie.js'

const protectiveList = Object.entries(protectiveHeaders).flat()

const instanceSegment = /^\/([1-9]\d{0,8})(?:\/|$)/

/** The instance that a path begins with; null if it begins with none. */
export const instanceOf = (path: string): number | null => {
  const number = instanceSegment.exec(path)?.[1]
  return number === undefined ? null : Number(number)
}

/** Address and base are read at once: they are unknown after the client disconnects. */
export const begin = ({ options, requestScopes, traces, state }: Service, koa: Context): RequestContext => {
  // Every response is written by this package: without Koa’s own responses, such as text/plain errors.
  koa.respond = false
  if (state.phase === 'draining') koa.res.setHeader('Connection', 'close')
  const { path, req } = koa
  const { headers, socket } = req
  const { 'x-request-id': sentId, prefer } = headers
  const instance = instanceOf(path)
  const host = linkableHost(headers.host ?? '')
  const id = randomUUID()
  const clientId = sentId === undefined ? null : requestId(String(sentId))
  const policy = instance === null ? policyOf(path) : dataPolicy
  return {
    koa,
    path,
    instance,
    began: performance.now(),
    id,
    clientId,
    isStrict: prefer !== undefined && prefersStrict(String(prefer)),
    address:
      (options.trustProxy ? forwardedAddress(headers['x-forwarded-for']) : null) ??
      socket.remoteAddress ??
      '',
    host,
    base: options.baseUrl ?? requestedBase(req, host, options),
    endpoint: 'none',
    scope: requestScopes === null ? null : { request: id, waited: new Map() },
    span: traces?.receive(traceHeadersOf(headers)) ?? null,
    identity: null,
    signIn: null,
    headers: ['X-Request-Id', clientId ?? id, ...protectiveList, policyName, policy],
    cacheLookup: null,
    cached: null,
    sentBytes: 0,
  }
}

/** The trace that a client has begun. Several values of one header are none (W3C Trace Context). */
const traceHeadersOf = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders => ({
  traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  tracestate: typeof tracestate === 'string' ? tracestate : undefined,
})

/** The Content-Security-Policy of a path that is not on an instance. */
const policyOf = (path: string): string => documentationPolicy(path) ?? dashboardPolicy(path) ?? dataPolicy

/**
 * The scheme and host of a request, which links start with if no address is configured (docs/behaviour/wire.md#links).
 * For a request without a host that can be part of a link: the address that received it.
 */
const requestedBase = (
  { headers, socket }: IncomingMessage,
  host: string | null,
  { trustProxy }: Pick<HttpOptions, 'trustProxy'>,
): string => {
  const scheme = trustProxy ? forwardedScheme(headers['x-forwarded-proto']) : null
  const named = (trustProxy ? forwardedHost(headers['x-forwarded-host']) : null) ?? host
  if (named !== null) return `${scheme ?? 'http'}://${named}`
  const { localAddress = 'localhost', localPort = 80 } = socket
  const address = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `${scheme ?? 'http'}://${address}:${localPort}`
}

const badRequest = (reason: string): Problem => ({ _tag: 'BadRequest', reason })

/**
 * Throws BadRequest unless the request has the Host header that it needs: HTTP/1.1 requires exactly one; older clients may
 * send none. Node.js discards a second one, except in `rawHeaders`.
 */
export const requireHost = ({ koa: { req }, host: linkable }: RequestContext): void => {
  const { httpVersion, rawHeaders } = req
  const { host } = req.headers
  if (host === undefined) {
    if (httpVersion === '1.1') throw badRequest('it has no Host header')
    return
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw badRequest('it has more than one Host header')
  if (linkable === null && !isHost(host))
    throw badRequest('its Host header is not a host such as api.example.org or 192.0.2.1:8080')
}

/**
 * Identifies the token of a request on an instance or on the deployment. A valid one marks its connection
 * (docs/behaviour/errors.md#unauthorized).
 */
export const identify = async ({ useCases }: Service, context: RequestContext): Promise<Identity> => {
  const { headers, socket } = context.koa.req
  const { authorization } = headers
  if (authorization === undefined || (context.instance === null && !isOnDeployment(context))) return null
  if (authorization === '') return E.left({ _tag: 'Unauthorized' })
  const isSession = authorization === sessionScheme
  const token = isSession ? sessionTokenOf(context.koa.req, context) : bearerToken(authorization)
  if (token === null) return E.left({ _tag: 'InvalidToken' })
  const identity = await useCases.principals(token)()
  if (E.isLeft(identity)) return identity
  // The token of a session is accepted only in its cookie.
  if ((identity.right.session !== undefined) !== isSession) return E.left({ _tag: 'InvalidToken' })
  authenticatedSockets.add(socket)
  return identity
}

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

/** Finds the paths of endpoints with a separate limit. */
const findLimited = createRouteTable(endpoints.filter(({ ratePolicy }) => ratePolicy !== undefined))

/** The policy of a request without a valid token. Settings can open what is on an instance. */
const ratePolicyOf = ({ identity, instance, koa, path }: RequestContext): AddressPolicy => {
  if (identity !== null || instance === null) return 'address'
  const limited = koa.method === 'POST' ? findLimited(path) : null
  return limited?.endpoints.get('POST')?.ratePolicy ?? 'public'
}

const tooManyRequests = (seconds: number): Problem => ({ _tag: 'TooManyRequests', retryAfter: seconds })

/** Counts a request for its rate limit, before anything else is read for it; throws TooManyRequests beyond the limit. */
export const limit = ({ readRate }: Service, context: RequestContext): void => {
  const { identity } = context
  if (readRate === null || unlimitedPaths.has(context.path)) return
  // Who the client is can't be known while the store is unavailable.
  if (identity !== null && E.isLeft(identity) && identity.left._tag === 'PortFailure') return
  const client = identity !== null && E.isRight(identity) ? identity.right : ratePolicyOf(context)
  const { policy, isAllowed, limit: quota, remaining, seconds } = readRate(client, context.address)
  // draft-ietf-httpapi-ratelimit-headers-10
  context.headers.push(
    'RateLimit-Policy',
    `"${policy}";q=${quota};w=${rateWindow}`,
    'RateLimit',
    `"${policy}";r=${remaining};t=${seconds}`,
  )
  if (!isAllowed) throw tooManyRequests(seconds)
}
