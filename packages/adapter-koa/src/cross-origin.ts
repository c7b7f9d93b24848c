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
  (koa: Context): string => {
    if (origins.includes('*')) return '*'
    const origin = koa.get('Origin')
    return origins.includes(origin) ? origin : ''
  }

/**
 * Allows browsers to call from these origins (docs/behaviour/wire.md#cors). Sets the headers of the response, and returns
 * whether the request is a preflight, which asks for nothing else. Null for no origins.
 */
export const crossOrigin = (origins: readonly string[]): ((koa: Context) => Promise<boolean>) | null => {
  if (origins.length === 0) return null
  const setHeaders: Middleware = cors({ origin: allowedOrigin(origins), exposeHeaders, maxAge: 600 })
  return async (koa) => {
    let isPreflight = true
    await setHeaders(koa, async () => {
      isPreflight = false
    })
    return isPreflight
  }
}

/** The request headers that a response depends on, with `Origin` if cross-origin calls are allowed. */
export const varyOf = (response: ServerResponse, names = vary): string => {
  const origin = response.getHeader('Vary')
  return origin === undefined ? names : `${names}, ${String(origin)}`
}
