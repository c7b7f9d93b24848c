import { E, notFound, type Opening } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import { acceptsJson, createRouteTable, replacementOf, type Route } from '@publishing-service/http-contract'
import { isOfDashboard } from './dashboard.js'
import type { Routed, ServedEndpoint } from './handler.js'
import type { Reply } from './reply.js'
import { isOnDeployment, type RequestContext } from './request-context.js'
import { servedEndpoints } from './served-endpoints.js'
import type { Service } from './service.js'

const findRoute = createRouteTable(servedEndpoints)

/** The route of a request; null if its path has none. */
const routeOf = (exchange: RequestContext): Route<ServedEndpoint> | null => {
  // `/dashboard` is no instance.
  if (exchange.route === undefined)
    exchange.route =
      exchange.instance === null && isOfDashboard(exchange.path) ? null : findRoute(exchange.path)
  return exchange.route
}

/** Whether a setting can permit the request without a token. */
export const isOpened = (exchange: RequestContext): boolean => (routeOf(exchange)?.openings.length ?? 0) > 0

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

/** Finds the endpoint of a request, or the reply of a path that has another one. */
export const route = async (
  service: Service,
  exchange: RequestContext,
  findWebFile: () => Promise<unknown>,
): Promise<E.Either<Failure, Routed | Reply>> => {
  const { context } = exchange
  const found = routeOf(exchange)
  if (found === null) {
    const instead = replacementOf(exchange.path)
    if (instead !== null)
      return E.left((await missingToken(service, exchange, [])) ?? { _tag: 'Gone', instead })
    await findWebFile()
    return context.state.webFile ?? E.left(notFound)
  }
  const { method } = context
  if (method === 'OPTIONS') return E.right({ _tag: 'Allowed', methods: allowedBy(found) })
  const { endpoints, openings, parameters } = found
  const endpoint = endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint === undefined) {
    const refused = await missingToken(service, exchange, openings)
    return E.left(refused ?? { _tag: 'MethodNotAllowed', allowed: allowedBy(found) })
  }
  const isAccepted =
    endpoint.isAnyType ||
    acceptsJson(context.req.headers.accept) ||
    (endpoint.htmlAt !== undefined && context.accepts('text/html') !== false)
  if (!isAccepted)
    return E.left((await missingToken(service, exchange, openings)) ?? { _tag: 'NotAcceptable' })
  return E.right({ _tag: 'Endpoint', endpoint, parameters })
}
