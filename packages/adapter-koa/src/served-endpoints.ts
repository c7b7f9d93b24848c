import { endpoints, isAnyType, needsToken } from '@publishing-service/http-contract'
import type { ServedEndpoint } from './handler.js'
import { handlerOf } from './handlers.js'

/** Every endpoint with what serves it. */
export const servedEndpoints: readonly ServedEndpoint[] = endpoints.map((endpoint) => ({
  ...endpoint,
  handle: handlerOf(endpoint.id),
  needsToken: needsToken(endpoint),
  isAnyType: isAnyType(endpoint),
}))
