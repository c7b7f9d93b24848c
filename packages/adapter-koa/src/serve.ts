/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-read). */
import type { Middleware, Context } from 'koa'
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { attempt, unwrap } from '@publishing-service/application'
import { begin, requireHost } from './begin.js'
import type { Reply } from './handler.js'
import { identify, limit } from './identify.js'
import { lookupOf, recall } from './ready-response.js'
import { reply } from './reply.js'
import { route } from './route.js'
import { fail } from './send-failure.js'
import type { Service } from './service.js'
import type { WebFileState } from './web-files.js'
import { requestIds, type RequestContext } from './request-context.js'

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
      const outcome = await attempt(async (): Promise<Reply> => {
        requireHost(exchange)
        if (service.isPreflight !== null && (await service.isPreflight(context))) return { _tag: 'Preflight' }
        exchange.identity = await identify(service, exchange)
        limit(service, exchange)
        const lookup = lookupOf(exchange, service.clock.monotonic())
        exchange.cacheLookup = lookup
        const recalled = lookup === null ? null : await recall(service, lookup)
        if (recalled !== null) return { _tag: 'Ready', response: recalled }
        const found = await route(service, exchange)
        if (found === null) await findWebFile()
        const routed = unwrap(found ?? context.state.webFile ?? E.left(notFound))
        if (routed._tag !== 'Endpoint') return routed
        // Health checks and short requests are served between long ones, however many requests arrive at once.
        if (routed.endpoint.needsToken) await service.clock.turn()
        return routed.endpoint.handle(service, exchange, routed)
      })
      await reply(service, exchange, outcome)
    } catch (error) {
      reportDefect(service, exchange, error)
      fail(service, exchange, { _tag: 'InternalError' })
    }
    end(service, exchange)
  }
