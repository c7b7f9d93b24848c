import type { ServerResponse } from 'node:http'
import type { ParameterizedContext } from 'koa'
import type { Identity, SignIn } from '@publishing-service/application'
import { endpoints } from '@publishing-service/http-contract'
import type { OpenSpan, RequestScope } from '@publishing-service/ports'

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
  /** Koa’s context of it. */
  readonly koa: ParameterizedContext
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
  /** The id of the endpoint; `none` before it is found, and for what is not one, such as the pages. */
  endpoint: string
  /** What it has waited for; null if no log says that. */
  readonly scope: RequestScope | null
  /** Null if nobody collects traces. */
  readonly span: OpenSpan | null
  /** Null before a token is identified, and if none is needed. */
  identity: Identity
  /** How the token request ended; null for other requests, and before it is decided. */
  signIn: SignIn | null
  /**
   * The headers of every response to it: names and values alternate, because Node.js writes headers of one list fastest.
   * Those of its rate limit are added when it is counted.
   */
  readonly headers: string[]
  /** Where the response is cached; null where it is not. */
  cacheLookup: CacheLookup | null
  /** Whether the response was cached; null before that is known, and for what is not cached. */
  cached: 'hit' | 'miss' | null
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

/** The name of the header that file data has another value of, or none. */
export const policyName = 'Content-Security-Policy'

/** The headers of every response, with this Content-Security-Policy instead; null for none. */
export const headersWithPolicy = (
  { headers }: Pick<RequestContext, 'headers'>,
  policy: string | null,
): string[] => {
  // The last one: a client can choose the name as the id of its request, which comes before.
  const at = headers.lastIndexOf(policyName)
  return policy === null ? headers.toSpliced(at, 2) : headers.with(at + 1, policy)
}

/**
 * Writes the head of a response with these headers, in which names and values alternate. All heads are written here: once a
 * header was set, as those of CORS are, Node.js 20 writes only the last one of each name in a list.
 */
export const sendHead = (response: ServerResponse, status: number, headers: string[]): void => {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers)
    return
  }
  const names = new Set<string>()
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2)
    if (names.has(name)) response.appendHeader(name, value)
    else response.setHeader(name, value)
    names.add(name)
  }
  response.writeHead(status)
}

/** Writes the head of a response with these headers and those of the request. */
export const writeHead = (
  { koa, headers }: Pick<RequestContext, 'koa' | 'headers'>,
  status: number,
  own: Readonly<Record<string, string>>,
): void => sendHead(koa.res, status, [...headers, ...Object.entries(own).flat()])

/** The request id of a log line, and the one that the client chose, if it did (docs/behaviour/wire.md#request-id). */
export const requestIds = ({ id, clientId }: RequestContext) => ({
  request: id,
  clientRequest: clientId ?? undefined,
})
