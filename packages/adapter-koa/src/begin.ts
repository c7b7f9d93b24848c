import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Problem } from '@publishing-service/domain'
import {
  dataPolicy,
  isHost,
  linkableHost,
  prefersStrict,
  protectiveHeaders,
  requestId,
} from '@publishing-service/http-contract'
import { dashboardPolicy } from './dashboard.js'
import { documentationPolicy } from './documentation.js'
import { forwardedAddress, forwardedHost, forwardedScheme } from './forwarded.js'
import type { HttpOptions } from './http-options.js'
import { policyName, type RequestContext } from './request-context.js'
import type { Service } from './service.js'

const protectiveList = Object.entries(protectiveHeaders).flat()

const instanceSegment = /^\/([1-9]\d{0,8})(?:\/|$)/

/** The instance that a path begins with; null if it begins with none. */
export const instanceOf = (path: string): number | null => {
  const number = instanceSegment.exec(path)?.[1]
  return number === undefined ? null : Number(number)
}

/** Address and base are read at once: they are unknown after the client disconnects. */
export const begin = ({ options, state }: Service, context: Context): RequestContext => {
  // Every response is written by this package: without Koa’s own responses, such as text/plain errors.
  context.respond = false
  if (state.isDraining) context.res.setHeader('Connection', 'close')
  const { path, req } = context
  const { headers, socket } = req
  const { 'x-request-id': sentId, prefer } = headers
  const instance = instanceOf(path)
  const host = linkableHost(headers.host ?? '')
  const id = randomUUID()
  const clientId = sentId === undefined ? null : requestId(String(sentId))
  const policy = instance === null ? policyOf(path) : dataPolicy
  return {
    context,
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
    identity: null,
    signIn: null,
    headers: ['X-Request-Id', clientId ?? id, ...protectiveList, policyName, policy],
    cacheLookup: null,
    sentBytes: 0,
  }
}

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
export const requireHost = ({ context: { req }, host: linkable }: RequestContext): void => {
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
