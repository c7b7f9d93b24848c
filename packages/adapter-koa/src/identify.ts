/** Who sends a request, and how many requests they may send. */
import { E } from '@publishing-service/domain/fp'
import type { Identity } from '@publishing-service/application'
import { bearerToken, createRouteTable, endpoints } from '@publishing-service/http-contract'
import { authenticatedSockets } from './connection-limit.js'
import { isOnDeployment, type RequestContext } from './request-context.js'
import type { Service } from './service.js'
import { sessionScheme, sessionTokenOf } from './session-cookie.js'
import type { Problem } from '@publishing-service/domain'
import { rateWindow, type AddressPolicy } from '@publishing-service/domain/access'

/**
 * Identifies the token of a request on an instance or on the deployment. A valid one marks its connection
 * (docs/behaviour/errors.md#unauthorized).
 */
export const identify = async ({ useCases }: Service, exchange: RequestContext): Promise<Identity> => {
  const { headers, socket } = exchange.context.req
  const { authorization } = headers
  if (authorization === undefined || (exchange.instance === null && !isOnDeployment(exchange))) return null
  if (authorization === '') return E.left({ _tag: 'Unauthorized' })
  const isSession = authorization === sessionScheme
  const token = isSession ? sessionTokenOf(exchange.context.req, exchange) : bearerToken(authorization)
  if (token === null) return E.left({ _tag: 'InvalidToken' })
  const identity = await useCases.principals(token)()
  if (E.isLeft(identity)) return identity
  // The token of a session is accepted only in its cookie.
  if ((identity.right.session !== undefined) !== isSession) return E.left({ _tag: 'InvalidToken' })
  authenticatedSockets.add(socket)
  return identity
}

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

/** Finds the paths of endpoints with a limit of their own. */
const findLimited = createRouteTable(endpoints.filter(({ ratePolicy }) => ratePolicy !== undefined))

/** The policy of a request without a valid token. Settings can open what is on an instance. */
const policyOf = ({ identity, instance, context, path }: RequestContext): AddressPolicy => {
  if (identity !== null || instance === null) return 'address'
  const limited = context.method === 'POST' ? findLimited(path) : null
  return limited?.endpoints.get('POST')?.ratePolicy ?? 'public'
}

const tooManyRequests = (seconds: number): Problem => ({ _tag: 'TooManyRequests', retryAfter: seconds })

/** Counts a request for its rate limit, before anything else is read for it; throws TooManyRequests beyond the limit. */
export const limit = ({ readRate }: Service, exchange: RequestContext): void => {
  const { identity } = exchange
  if (readRate === null || unlimitedPaths.has(exchange.path)) return
  // Who the client is can't be known while the store is unavailable.
  if (identity !== null && E.isLeft(identity) && identity.left._tag === 'PortFailure') return
  const client = identity !== null && E.isRight(identity) ? identity.right : policyOf(exchange)
  const { policy, isAllowed, limit: quota, remaining, seconds } = readRate(client, exchange.address)
  // draft-ietf-httpapi-ratelimit-headers-10
  exchange.headers.push(
    'RateLimit-Policy',
    `"${policy}";q=${quota};w=${rateWindow}`,
    'RateLimit',
    `"${policy}";r=${remaining};t=${seconds}`,
  )
  if (!isAllowed) throw tooManyRequests(seconds)
}
