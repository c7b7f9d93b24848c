import type { ServerResponse } from 'node:http'
import cors from '@koa/cors'
import type { Context, Middleware, ParameterizedContext } from 'koa'
import { vary } from '@publishing-service/http-contract'

const exposeHeaders = [
  'ETag',
  'Link',
  'X-Request-Id',
  'Retry-After',
  'Content-Range',
  'Accept-Ranges',
  'Deprecation',
  'RateLimit-Policy',
  'RateLimit',
]

const allowedOrigin =
  (origins: readonly string[]) =>
  (context: Context): string => {
    if (origins.includes('*')) return '*'
    const origin = context.get('Origin')
    return origins.includes(origin) ? origin : ''
  }

/**
 * Allows browsers to call from these origins (docs/behaviour/wire.md#cors). A preflight gets its response from
 * `respond`, with 200 as every success.
 */
export const crossOrigin = <State>(
  origins: readonly string[],
  respond: (context: ParameterizedContext<State>) => void,
): Middleware<State> => {
  const setHeaders: Middleware<State> = cors({ origin: allowedOrigin(origins), exposeHeaders, maxAge: 600 })
  return async (context, next) => {
    await setHeaders(context, next)
    if (!context.res.headersSent) respond(context)
  }
}

/** The request headers that a response depends on, with `Origin` if cross-origin calls are allowed. */
export const varyOf = (response: ServerResponse, names = vary): string => {
  const origin = response.getHeader('Vary')
  return origin === undefined ? names : `${names}, ${String(origin)}`
}
