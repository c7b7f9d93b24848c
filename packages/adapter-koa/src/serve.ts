/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-read). */
import type { Middleware, Context } from 'koa'
import { notFound } from '@publishing-service/domain'
import type { Opening } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import { type AnyFailure, isFailure } from '@publishing-service/application'
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
  context: RequestContext,
  openings: readonly Opening[],
): Promise<AnyFailure | null> => {
  const { identity, instance } = context
  if (instance !== null) return sessions.missingToken(identity, instance, openings)
  if (!isOnDeployment(context)) return null
  if (identity === null) return { _tag: 'Unauthorized' }
  return E.isLeft(identity) ? identity.left : null
}

/** Finds the endpoint of a request, or the reply of a path that has another one; null if no endpoint has the path. */
const route = async (
  service: Service,
  context: RequestContext,
): Promise<E.Either<AnyFailure, Routed | Reply> | null> => {
  const { koa, instance, path } = context
  // `/dashboard` is no instance.
  const found = instance === null && isOfDashboard(path) ? null : findRoute(path)
  if (found === null) {
    const instead = replacementOf(path)
    return instead === null
      ? null
      : E.left((await missingToken(service, context, [])) ?? { _tag: 'Gone', instead })
  }
  const { method } = koa
  if (method === 'OPTIONS') return E.right({ _tag: 'Allowed', methods: allowedBy(found) })
  const { endpoints, parameters } = found
  const openings = () => [...endpoints.values()].flatMap(openingsOf)
  const endpoint = endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint === undefined) {
    const refused = await missingToken(service, context, openings())
    return E.left(refused ?? { _tag: 'MethodNotAllowed', allowed: allowedBy(found) })
  }
  const isAccepted =
    endpoint.isAnyType ||
    acceptsJson(koa.req.headers.accept) ||
    (endpoint.htmlAt !== undefined && koa.accepts('text/html') !== false)
  if (!isAccepted)
    return E.left((await missingToken(service, context, openings())) ?? { _tag: 'NotAcceptable' })
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

const reportDefect = ({ log }: Service, context: RequestContext, error: unknown): void =>
  log.write('error', 'defect', {
    ...requestIds(context),
    reason: error instanceof Error ? error.stack : String(error),
  })

/** Ends a request: what is left of its body, and its line in the log. */
const end = ({ log, logsRequests }: Service, context: RequestContext): void => {
  const { koa, identity, signIn } = context
  if (!koa.req.complete) discardUnreadBody(koa)
  if (!logsRequests) return
  const principal = identity !== null && E.isRight(identity) ? identity.right : null
  // Written out, because a spread makes an object that is slower to log.
  log.write('info', 'request', {
    request: context.id,
    clientRequest: context.clientId ?? undefined,
    address: context.address,
    method: koa.method,
    path: context.path,
    status: koa.res.statusCode,
    ms: Math.round((performance.now() - context.began) * 100) / 100,
    // A response to HEAD has no body.
    bytes: koa.method === 'HEAD' ? 0 : context.sentBytes,
    user: principal?.user,
    key: principal?.key ?? signIn?.key ?? undefined,
    outcome: signIn?.outcome,
  })
}

/** The middleware that serves every request. The ones after it find the files of pages. */
export const serve =
  (service: Service): Middleware<WebFileState> =>
  async (koa, findWebFile) => {
    const context = begin(service, koa)
    try {
      requireHost(context)
      if (service.isPreflight !== null && (await service.isPreflight(koa)))
        return await reply(service, context, { _tag: 'Preflight' })
      context.identity = await identify(service, context)
      limit(service, context)
      const lookup = lookupOf(context, service.clock.monotonic())
      context.cacheLookup = lookup
      const recalled = lookup === null ? null : await recall(service, lookup)
      if (recalled !== null) return await sendReady(service, context, recalled)
      const found = await route(service, context)
      if (found === null) await findWebFile()
      const served = found ?? koa.state.webFile ?? E.left(notFound)
      if (E.isLeft(served)) throw served.left
      const routed = served.right
      if (routed._tag !== 'Endpoint') return await reply(service, context, routed)
      // Health checks and short requests are served between long ones, however many requests arrive at once.
      if (routed.endpoint.needsToken) await service.clock.turn()
      await reply(service, context, await routed.endpoint.handle(service, context, routed))
    } catch (error) {
      const failure = isFailure(error) ? error : null
      if (failure === null) reportDefect(service, context, error)
      fail(service, context, failure ?? { _tag: 'InternalError' })
    } finally {
      end(service, context)
    }
  }
