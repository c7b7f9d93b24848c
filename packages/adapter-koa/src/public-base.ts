import type { Context } from 'koa'

const sane = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The address that links start with (decisions §1.4): the configured one, else the request's own scheme and host. */
export const publicBase = (context: Context, configured: string | null): string => {
  if (configured !== null) return configured
  const { localAddress = 'localhost', localPort = 80 } = context.socket
  // A request without a host, or with one that can't stand in a link, is told where it arrived.
  const arrived = localAddress.includes(':')
    ? `[${localAddress}]:${localPort}`
    : `${localAddress}:${localPort}`
  return `${context.protocol}://${sane.test(context.host) ? context.host : arrived}`
}
