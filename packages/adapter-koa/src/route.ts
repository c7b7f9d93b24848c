import type { Context } from 'koa'
import { E, notFound, type Problem } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import {
  acceptsJson,
  createRouteTable,
  endpoints,
  isAnyType,
  replacementOf,
  type Endpoint,
  type Method,
  type Route,
} from '@publishing-service/http-contract'
import { isOfDashboard } from './dashboard.js'
import type { Reply } from './reply.js'
import { instanceOf, isOnDeployment, type RequestContext } from './request-context.js'
import type { Service } from './service.js'
import type { FindWebFile } from './web-files.js'

const findRoute = createRouteTable(endpoints)

/** The endpoint of a request, with the values of its path’s parameters. */
export type Routed = {
  readonly _tag: 'Endpoint'
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

type Opening = NonNullable<Endpoint['openedBy']>

const openingsIn = (route: Route | null): readonly Opening[] =>
  [...(route?.endpoints.values() ?? [])].flatMap(({ openedBy }) => openedBy ?? [])

/** The settings that permit requests to a path without a token. */
export const openingsOf = (path: string): readonly Opening[] => openingsIn(findRoute(path))

/** Whether a client accepts HTML at all. */
const acceptsHtml = (context: Context): boolean => context.accepts('text/html') !== false

const isMethod = (endpointMethods: Route['endpoints'], method: string): method is Method =>
  endpointMethods.has(method as Method)

const allowedBy = ({ endpoints: byMethod }: Route): readonly string[] =>
  [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS')

const endpointFor = (context: Context, route: Route): Endpoint | Problem => {
  const method = context.method === 'HEAD' ? 'GET' : context.method
  const endpoint = isMethod(route.endpoints, method) ? route.endpoints.get(method) : undefined
  if (endpoint === undefined) return { _tag: 'MethodNotAllowed', allowed: allowedBy(route) }
  const isAccepted =
    isAnyType(endpoint) ||
    acceptsJson(context.req.headers.accept) ||
    (endpoint.htmlAt !== undefined && acceptsHtml(context))
  return isAccepted ? endpoint : { _tag: 'NotAcceptable' }
}

/**
 * A missing token, which is reported before a problem of the path or the method
 * (docs/behaviour/errors.md#missing-token-first).
 */
const missingToken = async (
  { useCases: { sessions } }: Service,
  { context, identity }: RequestContext,
  route: Route | null,
): Promise<Failure | null> => {
  const instance = instanceOf(context)
  if (instance !== null) return sessions.missingToken(identity, instance, openingsIn(route))
  if (!isOnDeployment(context)) return null
  if (identity === null) return { _tag: 'Unauthorized' }
  return E.isLeft(identity) ? identity.left : null
}

/** Finds the endpoint of a request, or the reply of a path that has another one. */
export const route = async (
  service: Service,
  exchange: RequestContext,
  findWebFile: FindWebFile,
): Promise<E.Either<Failure, Routed | Reply>> => {
  const { context } = exchange
  // `dashboard` is no instance.
  const found = isOfDashboard(context.path) ? null : findRoute(context.path)
  if (found === null) {
    const instead = replacementOf(context.path)
    if (instead === null) return (await findWebFile()) ?? E.left(notFound)
    return E.left((await missingToken(service, exchange, null)) ?? { _tag: 'Gone', instead })
  }
  if (context.method === 'OPTIONS') return E.right({ _tag: 'Allowed', methods: allowedBy(found) })
  const endpoint = endpointFor(context, found)
  if ('_tag' in endpoint) return E.left((await missingToken(service, exchange, found)) ?? endpoint)
  return E.right({ _tag: 'Endpoint', endpoint, parameters: found.parameters })
}
