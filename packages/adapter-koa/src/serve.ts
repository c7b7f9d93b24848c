/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-read). */
import type { Middleware, Context } from 'koa'
import { notFound } from '@publishing-service/domain'
import type { Opening } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import { type Failure, isFailure, unwrap } from '@publishing-service/application'
import {
  acceptsJson,
  createRouteTable,
  openingsOf,
  replacementOf,
  type Route,
} from '@publishing-service/http-contract'
import { begin, identify, limit, requireHost } from './begin.js'
import { isOfDashboard } from './dashboard.js'
import type { Reply, Routed } from './handler.js'
import { lookupOf, recall } from './ready-response.js'
import { reply, sendReady } from './reply.js'
import { isOnDeployment, requestIds, type RequestContext } from './request-context.js'
import { fail } from './send-failure.js'
import { servedEndpoints } from './served-endpoints.js'
import type { Service } from './service.js'
import type { WebFileState } from './web-files.js'

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
const route = async (
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

/** Milliseconds for which an unread body is still accepted. */
const unreadBodyLimit = 5000

/** An unread body is accepted for some time, so that the client receives the response; then the connection is closed. */
const discardUnreadBody = ({ req }: Pick<Context, 'req'>): void => {
  req.resume()
  const timer = setTimeout(() => req.socket.destroy(), unreadBodyLimit)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}

const reportDefect = ({ log }: Service, exchange: RequestContext, error: unknown): void =>
  log.write('error', 'defect', {
    ...requestIds(exchange),
    reason: error instanceof Error ? error.stack : String(error),
  })

/** Ends a request: what is left of its body, and its line in the log. */
const end = ({ log, logsRequests }: Service, exchange: RequestContext): void => {
  const { context, identity, signIn } = exchange
  if (!context.req.complete) discardUnreadBody(context)
  if (!logsRequests) return
  const principal = identity !== null && E.isRight(identity) ? identity.right : null
  // Written out, because a spread makes an object that is slower to log.
  log.write('info', 'request', {
    request: exchange.id,
    clientRequest: exchange.clientId ?? undefined,
    address: exchange.address,
    method: context.method,
    path: exchange.path,
    status: context.res.statusCode,
    ms: Math.round((performance.now() - exchange.began) * 100) / 100,
    // A response to HEAD has no body.
    bytes: context.method === 'HEAD' ? 0 : exchange.sentBytes,
    user: principal?.user,
    key: principal?.key ?? signIn?.key ?? undefined,
    outcome: signIn?.outcome,
  })
}

/** The middleware that serves every request. The ones after it find the files of pages. */
export const serve =
  (service: Service): Middleware<WebFileState> =>
  async (context, findWebFile) => {
    const exchange = begin(service, context)
    try {
      requireHost(exchange)
      if (service.isPreflight !== null && (await service.isPreflight(context)))
        return await reply(service, exchange, { _tag: 'Preflight' })
      exchange.identity = await identify(service, exchange)
      limit(service, exchange)
      const lookup = lookupOf(exchange, service.clock.monotonic())
      exchange.cacheLookup = lookup
      const recalled = lookup === null ? null : await recall(service, lookup)
      if (recalled !== null) return await sendReady(service, exchange, recalled)
      const found = await route(service, exchange)
      if (found === null) await findWebFile()
      const routed = unwrap(found ?? context.state.webFile ?? E.left(notFound))
      if (routed._tag !== 'Endpoint') return await reply(service, exchange, routed)
      // Health checks and short requests are served between long ones, however many requests arrive at once.
      if (routed.endpoint.needsToken) await service.clock.turn()
      await reply(service, exchange, await routed.endpoint.handle(service, exchange, routed))
    } catch (error) {
      const failure = isFailure(error) ? error : null
      if (failure === null) reportDefect(service, exchange, error)
      fail(service, exchange, failure ?? { _tag: 'InternalError' })
    } finally {
      end(service, exchange)
    }
  }
