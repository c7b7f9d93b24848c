import { E } from '@publishing-service/domain/fp'
import type { Opening } from '@publishing-service/domain/access'
import type { Failure } from '@publishing-service/application'
import {
  acceptsJson,
  createRouteTable,
  openingsOf,
  replacementOf,
  type Route,
} from '@publishing-service/http-contract'
import { isOfDashboard } from './dashboard.js'
import type { Reply, Routed } from './handler.js'
import { isOnDeployment, type RequestContext } from './request-context.js'
import { servedEndpoints } from './served-endpoints.js'
import type { Service } from './service.js'

const findRoute = createRouteTable(servedEndpoints)

const allowedBy = ({ endpoints }: Route): readonly string[] =>
  [...endpoints.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

/**
 * A missing token, which is reported before a problem of the path or the method
 * (docs/behaviour/errors.md#missing-token-first).
 */
const missingToken = async (
  { useCases: { sessions } }: Service,
  exchange: RequestContext,
  openings: readonly Opening[],
): Promise<Failure | null> => {
  const { identity, instance } = exchange
  if (instance !== null) return sessions.missingToken(identity, instance, openings)
  if (!isOnDeployment(exchange)) return null
  if (identity === null) return { _tag: 'Unauthorized' }
  return E.isLeft(identity) ? identity.left : null
}

/** Finds the endpoint of a request, or the reply of a path that has another one; null if no endpoint has the path. */
export const route = async (
  service: Service,
  exchange: RequestContext,
): Promise<E.Either<Failure, Routed | Reply> | null> => {
  const { context, instance, path } = exchange
  // `/dashboard` is no instance.
  const found = instance === null && isOfDashboard(path) ? null : findRoute(path)
  if (found === null) {
    const instead = replacementOf(path)
    return instead === null
      ? null
      : E.left((await missingToken(service, exchange, [])) ?? { _tag: 'Gone', instead })
  }
  const { method } = context
  if (method === 'OPTIONS') return E.right({ _tag: 'Allowed', methods: allowedBy(found) })
  const { endpoints, parameters } = found
  const openings = () => [...endpoints.values()].flatMap(openingsOf)
  const endpoint = endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint === undefined) {
    const refused = await missingToken(service, exchange, openings())
    return E.left(refused ?? { _tag: 'MethodNotAllowed', allowed: allowedBy(found) })
  }
  const isAccepted =
    endpoint.isAnyType ||
    acceptsJson(context.req.headers.accept) ||
    (endpoint.htmlAt !== undefined && context.accepts('text/html') !== false)
  if (!isAccepted)
    return E.left((await missingToken(service, exchange, openings())) ?? { _tag: 'NotAcceptable' })
  return E.right({ _tag: 'Endpoint', endpoint, parameters })
}
