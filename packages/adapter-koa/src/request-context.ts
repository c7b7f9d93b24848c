import type { ParameterizedContext } from 'koa'
import type { Identity, SignIn } from '@publishing-service/application'
import { endpoints, protectiveHeaders } from '@publishing-service/http-contract'

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
  readonly context: ParameterizedContext
  readonly path: string
  /** The instance that the path begins with; null if it begins with none. */
  readonly instance: number | null
  /** When it began, by `performance.now()`. */
  readonly began: number
  /** The request id of the service. */
  readonly id: string
  /** The request id that the client has sent; null if it has sent none. */
  readonly clientId: string | null
  /** The remote address; read at once, because it is unknown after the client disconnects. */
  readonly address: string
  /** The header Host, if it can be part of a link; else null. */
  readonly host: string | null
  /** The service's public address for this request (docs/behaviour/wire.md#links). */
  readonly base: string
  /** Whether unknown names and tolerated values are faults. */
  readonly isStrict: boolean
  /** The Content-Security-Policy of its responses, except of file data. */
  readonly policy: string
  /** Null before a token is identified, and if none is needed. */
  identity: Identity
  /** How the token request ended; null for other requests, and before it is decided. */
  signIn: SignIn | null
  /** The headers of its rate limit, names and values alternating; empty if none counts the request. */
  rateHeaders: readonly string[]
  /** Where the response is cached; null where it is not. */
  cacheLookup: CacheLookup | null
  /** Bytes of the body of the response that have been sent until now. */
  sentBytes: number
}

/** The first segments of the paths of the administration, such as `users`. */
const deploymentSegments = new Set(
  endpoints.flatMap(({ deployment, path }) => (deployment === undefined ? [] : [path.split('/')[1]])),
)

/** Whether a request is on the deployment rather than on an instance. */
export const isOnDeployment = ({ path }: Pick<RequestContext, 'path'>): boolean =>
  deploymentSegments.has(path.split('/', 2)[1])

const protectiveList = Object.entries(protectiveHeaders).flat()

/**
 * The headers of every response of an exchange, as a list in which names and values alternate. `policy` is its
 * Content-Security-Policy; null for none.
 */
export const exchangeHeaders = (
  exchange: RequestContext,
  policy: string | null = exchange.policy,
): string[] => {
  const headers = ['X-Request-Id', exchange.clientId ?? exchange.id, ...protectiveList]
  if (policy !== null) headers.push('Content-Security-Policy', policy)
  headers.push(...exchange.rateHeaders)
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
