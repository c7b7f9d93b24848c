/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-read). */
import type { Middleware, Context } from 'koa'
import { notFound } from '@publishing-service/domain'
import type { Opening } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import { type AnyFailure, isFailure, loggedTime } from '@publishing-service/application'
import {
  acceptsJson,
  createRouteTable,
  openingsOf,
  replacementOf,
  type Route,
} from '@publishing-service/http-contract'
import { succeeded, type Log } from '@publishing-service/ports'
import { begin, limit, requireHost } from './begin.js'
import { isOfDashboard } from './dashboard.js'
import type { Reply, Routed } from './handler.js'
import { lookupOf, recall } from './ready-response.js'
import { reply, sendReady } from './reply.js'
import { isOnDeployment, requestIds, type RequestContext } from './request-context.js'
import { fail } from './send-failure.js'
import { servedEndpoints } from './served-endpoints.js'
import type { Service } from './service.js'
import { identifyWithin } from './traced-steps.js'
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

/** What a slow request has waited for. Calls at the same time count each, so that the sum can be greater than the whole. */
const reportSlow = (log: Log, context: RequestContext, milliseconds: number): void => {
  const parts = [...(context.scope?.waited ?? [])].flatMap(([part, waited]): readonly [string, number][] => [
    [`${part}Ms`, loggedTime(waited.milliseconds)],
    [`${part}Calls`, waited.calls],
  ])
  log.write('warn', 'slow request', {
    ...requestIds(context),
    endpoint: context.endpoint,
    method: context.koa.method,
    path: context.path,
    status: context.koa.res.statusCode,
    ms: loggedTime(milliseconds),
    ...Object.fromEntries(parts),
  })
}

/** The paths of the endpoints, by their ids. */
const routes: ReadonlyMap<string, string> = new Map(servedEndpoints.map(({ id, path }) => [id, path]))

/** Ends the span of a request. What is no endpoint has the name of its method, because paths are many. */
const endSpan = (context: RequestContext): void => {
  const { koa, endpoint, id, span } = context
  if (span === null) return
  const { statusCode: status } = koa.res
  const isError = status >= 500
  const path = routes.get(endpoint)
  span.end(
    { outcome: isError ? String(status) : succeeded, isError },
    {
      endpoint: path === undefined ? koa.method : endpoint,
      method: koa.method,
      route: path,
      status,
      request: id,
      cache: context.cached ?? undefined,
    },
  )
}

/** Ends a request: what is left of its body, and its line in the log. */
const end = ({ log, logsRequests, metrics, options }: Service, context: RequestContext): void => {
  const { koa, identity, signIn } = context
  if (!koa.req.complete) discardUnreadBody(koa)
  const milliseconds = performance.now() - context.began
  endSpan(context)
  if (metrics.isRead)
    metrics.observe(
      'request',
      { endpoint: context.endpoint, status: String(koa.res.statusCode) },
      milliseconds,
    )
  if (options.slowRequest > 0 && milliseconds >= options.slowRequest) reportSlow(log, context, milliseconds)
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
    ms: loggedTime(milliseconds),
    // A response to HEAD has no body.
    bytes: koa.method === 'HEAD' ? 0 : context.sentBytes,
    user: principal?.user,
    key: principal?.key ?? signIn?.key ?? undefined,
    outcome: signIn?.outcome,
  })
}

/** Finds what a request is answered with, and sends it. Throws a Failure. */
const answer = async (
  service: Service,
  context: RequestContext,
  findWebFile: () => Promise<E.Either<AnyFailure, Reply>>,
): Promise<void> => {
  const { koa } = context
  requireHost(context)
  service.useCases.countForeignWrites()
  if (service.isPreflight !== null && (await service.isPreflight(koa)))
    return reply(service, context, { _tag: 'Preflight' })
  context.identity = await identifyWithin(service, context)
  limit(service, context)
  const lookup = lookupOf(context, service.clock.monotonic())
  context.cacheLookup = lookup
  const recalled = lookup === null ? null : await recall(service, lookup)
  if (lookup !== null) {
    context.cached = recalled === null ? 'miss' : 'hit'
    service.metrics.count('cache', { outcome: context.cached })
  }
  if (recalled !== null) {
    context.endpoint = recalled.endpoint
    return sendReady(service, context, recalled)
  }
  const served = (await route(service, context)) ?? (await findWebFile())
  if (E.isLeft(served)) throw served.left
  const routed = served.right
  if (routed._tag !== 'Endpoint') return reply(service, context, routed)
  context.endpoint = routed.endpoint.id
  // Health checks and short requests are served between long ones, however many requests arrive at once.
  if (routed.endpoint.needsToken) await service.clock.turn()
  await reply(service, context, await routed.endpoint.handle(service, context, routed))
}

/** The middleware that serves every request. The ones after it find the files of pages. */
export const serve =
  (service: Service): Middleware<WebFileState> =>
  async (koa, next) => {
    const context = begin(service, koa)
    const { scope } = context
    const { requestScopes } = service
    const task = () =>
      answer(service, context, async () => {
        await next()
        return koa.state.webFile ?? E.left(notFound)
      })
    try {
      const scoped = () =>
        requestScopes === null || scope === null ? task() : requestScopes.run(scope, task)
      await (context.span === null ? scoped() : context.span.run(scoped))
    } catch (error) {
      const failure = isFailure(error) ? error : null
      if (failure === null) reportDefect(service, context, error)
      fail(service, context, failure ?? { _tag: 'InternalError' })
    } finally {
      end(service, context)
    }
  }
