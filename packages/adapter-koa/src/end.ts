/** The end of a request: what is left of its body, and its line in the log. */
import type { Context } from 'koa'
import { E } from '@publishing-service/domain/fp'
import { requestIds, type RequestContext } from './request-context.js'
import type { Service } from './service.js'

/** Milliseconds for which an unread body is still accepted. */
const unreadBodyLimit = 5000

/** An unread body is accepted for some time, so that the client receives the response; then the connection is closed. */
const discardUnreadBody = ({ req }: Pick<Context, 'req'>): void => {
  req.resume()
  const timer = setTimeout(() => req.socket.destroy(), unreadBodyLimit)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}

export const reportDefect = ({ log }: Service, exchange: RequestContext, error: unknown): void =>
  log.write('error', 'defect', {
    ...requestIds(exchange),
    reason: error instanceof Error ? error.stack : String(error),
  })

export const end = ({ log, logsRequests }: Service, exchange: RequestContext): void => {
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
