import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { rateWindow } from '@publishing-service/domain/access'
import { createRouteTable, endpoints } from '@publishing-service/http-contract'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

/** Finds paths that a setting can open to requests without a token: few, so that most requests end at the first segments. */
const findOpened = createRouteTable(endpoints.filter(({ openedBy }) => openedBy !== undefined))

const tooManyRequests = (seconds: number): Problem => ({ _tag: 'TooManyRequests', retryAfter: seconds })

/** Counts a request for its rate limit, before anything else is read for it; throws TooManyRequests beyond the limit. */
export const limit = ({ readRate }: Service, exchange: RequestContext): void => {
  const { identity } = exchange
  if (readRate === null || unlimitedPaths.has(exchange.path)) return
  // Who the client is can't be known while the store is unavailable.
  if (identity !== null && E.isLeft(identity) && identity.left._tag === 'PortFailure') return
  const principal = identity !== null && E.isRight(identity) ? identity.right : null
  const isPublic = identity === null && findOpened(exchange.path) !== null
  const {
    policy,
    isAllowed,
    limit: quota,
    remaining,
    seconds,
  } = readRate(principal, isPublic, exchange.address)
  // draft-ietf-httpapi-ratelimit-headers-10
  exchange.headers.push(
    'RateLimit-Policy',
    `"${policy}";q=${quota};w=${rateWindow}`,
    'RateLimit',
    `"${policy}";r=${remaining};t=${seconds}`,
  )
  if (!isAllowed) throw tooManyRequests(seconds)
}
