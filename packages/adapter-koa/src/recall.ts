import { E } from '@publishing-service/domain'
import type { RequestContext } from './request-context.js'
import type { ReadyResponse } from './ready-response.js'
import type { Service } from './service.js'

/** The cached response of a request; null if there is none. */
export const recall = async (
  { cache, useCases: { instances } }: Service,
  exchange: RequestContext,
): Promise<ReadyResponse | null> => {
  const slot = cache.lookupOf(exchange)
  exchange.cacheLookup = slot
  const cached = slot === null ? null : cache.find(slot)
  if (slot === null || cached === null) return null
  // Another process may have deleted the instance (docs/behaviour/access.md#deleted-instances).
  const isLive = instances.known(slot.instance) !== null || E.isRight(await instances.find(slot.instance)())
  return isLive ? cached : null
}
