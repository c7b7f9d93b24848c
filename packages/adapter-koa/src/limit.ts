import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { rateWindow, type AddressPolicy } from '@publishing-service/domain/access'
import { createRouteTable, endpoints } from '@publishing-service/http-contract'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

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
