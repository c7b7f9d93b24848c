import { E, type Problem } from '@publishing-service/domain'
import { endpoints } from '@publishing-service/http-contract'
import type { RequestContext } from './request-context.js'
import { isStoreUnavailable } from './identify.js'
import { openingsOf } from './route.js'
import type { Service } from './service.js'

const unlimitedPaths = new Set(endpoints.flatMap(({ unlimited, path }) => (unlimited === true ? [path] : [])))

const counted = E.right(undefined)

/** Counts a request for its rate limit, before anything else is read for it. */
export const limit = ({ readRate }: Service, exchange: RequestContext): E.Either<Problem, void> => {
  const { context, identity } = exchange
  if (readRate === null || unlimitedPaths.has(context.path) || isStoreUnavailable(identity)) return counted
  const principal = identity !== null && E.isRight(identity) ? identity.right : null
  const isPublic = identity === null && openingsOf(context.path).length > 0
  const rate = readRate(principal, isPublic, () => exchange.address)
  exchange.rate = rate
  return rate.isAllowed ? counted : E.left({ _tag: 'TooManyRequests', retryAfter: rate.seconds })
}
