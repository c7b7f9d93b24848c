import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Identity } from '@publishing-service/application'
import { rateLimit, rateLimitPolicy, type RateReading } from '@publishing-service/http-contract'

/** The place of a response in the cache. Milliseconds of elapsed time. */
export type CacheSlot = { readonly key: string; readonly since: number; readonly until: number }

/** One request, and what is known of it by the time that each step needs it. */
export type Exchange = {
  readonly context: Context
  /** Names the request in the log and in its response. */
  readonly id: string
  /** Remote address; read at once, because it is gone when the client hangs up. */
  readonly address: string
  /** The service's public address for this request (docs/behaviour/wire.md#links). */
  readonly base: string
  /** Null as long as no token is identified, and where none is needed. */
  identity: Identity
  /** Null where no rate limit counts the request. */
  rate: RateReading | null
  /** Where the response is cached; null where it is not. */
  cacheSlot: CacheSlot | null
}

/** The state of Koa's contexts. */
export type ExchangeState = { exchange: Exchange }

const validHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * The address that links start with (docs/behaviour/wire.md#links): the configured one, else the request's own scheme
 * and host.
 */
export const publicBase = (context: Context, configured: string | null): string => {
  if (configured !== null) return configured
  const { localAddress = 'localhost', localPort = 80 } = context.socket
  // For a request without a host, or with one that can't be part of a link: the address where it arrived.
  const localHost = localAddress.includes(':')
    ? `[${localAddress}]:${localPort}`
    : `${localAddress}:${localPort}`
  return `${context.protocol}://${validHost.test(context.host) ? context.host : localHost}`
}

/** The instance that a path segment names; null where it names none. */
const instanceNumber = (segment: string): number | null =>
  /^[1-9]\d{0,8}$/.test(segment) ? Number(segment) : null

/** The instance that a request is on; null where it is on none. */
export const instanceOf = ({ path }: Context): number | null => {
  const slash = path.indexOf('/', 1)
  return instanceNumber(slash === -1 ? path.slice(1) : path.slice(1, slash))
}

/** The headers of every response of an exchange: names and values alternate. */
export const exchangeHeaders = ({ id, rate }: Exchange): readonly string[] =>
  rate === null
    ? ['X-Request-Id', id]
    : ['X-Request-Id', id, 'RateLimit-Policy', rateLimitPolicy(rate), 'RateLimit', rateLimit(rate)]

/**
 * Sets them on the response. Cached responses have them in their own list instead: Node.js writes headers that come in
 * one list much faster.
 */
export const setExchangeHeaders = (exchange: Exchange): void => {
  const { res } = exchange.context
  if (res.headersSent) return
  const headers = exchangeHeaders(exchange)
  for (let index = 0; index < headers.length; index += 2)
    res.setHeader(String(headers[index]), String(headers[index + 1]))
}

/** Bytes of bodies that were sent, for the log: Node.js counts those of a connection with all its headers. */
const sent = new WeakMap<ServerResponse, number>()

/** Adds bytes of the body; a response to HEAD has none. */
export const addSent = (response: ServerResponse, bytes: number): void => {
  if (response.req.method !== 'HEAD') sent.set(response, sentBytes(response) + bytes)
}

/** Bytes of the body that have been sent until now. */
export const sentBytes = (response: ServerResponse): number => sent.get(response) ?? 0
