import type { IncomingMessage } from 'node:http'
import { E } from '@publishing-service/domain/fp'
import { acceptsJson, bypassesCache } from '@publishing-service/http-contract'
import type { CacheLookup, RequestContext } from './request-context.js'
import type { ReadyResponse } from './ready-response.js'
import type { Service } from './service.js'

/** Whether the response of a request may be taken from the cache. */
const mayRecall = ({ headers, method }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['prefer'] === undefined &&
  headers.range === undefined &&
  (headers['cache-control'] === undefined || !bypassesCache(headers['cache-control']))

/** What the response of a request is cached under; null if it must not be taken from the cache. */
export const lookupOf = (
  { context, identity, instance, base }: RequestContext,
  since: number,
): CacheLookup | null => {
  const { req, url } = context
  if (!mayRecall(req) || instance === null || (identity !== null && E.isLeft(identity))) return null
  // What a preview shows is for its token alone.
  if (identity?.right.preview !== undefined) return null
  const role = identity === null ? 'public_user' : identity.right.roles.get(instance)
  if (role === undefined) return null
  const key = `${identity === null ? 'no token' : role} ${base} ${url}`
  return { key, instance, acceptsJson: acceptsJson(req.headers.accept), since }
}

/** The cached response of a request; null if there is none. */
export const recall = async (
  { cache, clock, useCases: { instances } }: Service,
  exchange: RequestContext,
): Promise<ReadyResponse | null> => {
  const slot = lookupOf(exchange, clock.monotonic())
  exchange.cacheLookup = slot
  const cached = slot === null ? null : cache.find(slot)
  if (slot === null || cached === null) return null
  // Another process may have deleted the instance (docs/behaviour/access.md#deleted-instances).
  const isLive = instances.known(slot.instance) !== null || E.isRight(await instances.find(slot.instance)())
  return isLive ? cached : null
}
