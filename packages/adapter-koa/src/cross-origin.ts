import type { ServerResponse } from 'node:http'
import cors from '@koa/cors'
import type { Context, Middleware } from 'koa'
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
 * Allows browsers to call from these origins (docs/behaviour/wire.md#cors). A preflight gets its response here, with
 * 200 as every success.
 */
export const crossOrigin = (origins: readonly string[]): Middleware => {
  const setHeaders = cors({ origin: allowedOrigin(origins), exposeHeaders, maxAge: 600 })
  return async (context, next) => {
    await setHeaders(context, next)
    if (!context.res.headersSent) context.res.writeHead(200, { 'Content-Length': 0 }).end()
  }
}

/** The request headers that a response depends on, with `Origin` if cross-origin calls are allowed. */
export const varyOf = (response: ServerResponse): string =>
  response.hasHeader('Vary') ? `${vary}, ${String(response.getHeader('Vary'))}` : vary
