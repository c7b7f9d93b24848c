/**
 * What a trusted proxy says of the client's connection. Of several values the last counts, because the proxy has added
 * it; a value that is none is ignored.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { linkableHost } from '@publishing-service/http-contract'

type HeaderValue = string | readonly string[] | undefined

const lastOf = (header: HeaderValue): string =>
  String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim() ?? ''

/** The address in `X-Forwarded-For`, without a port and brackets; null if it is none. */
export const forwardedAddress = (header: HeaderValue): string | null => {
  const text = lastOf(header)
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? null : address
}

/** The scheme in `X-Forwarded-Proto`; null if it is not http or https. */
export const forwardedScheme = (header: HeaderValue): 'http' | 'https' | null => {
  const scheme = lastOf(header).toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : null
}

/** The host in `X-Forwarded-Host`; null if it can't be part of a link. */
export const forwardedHost = (header: HeaderValue): string | null => linkableHost(lastOf(header))

/** What a proxy says of the client’s connection, for its operator. The address may be one of an inner network, so it is not shown. */
export const forwardedIn = (headers: IncomingHttpHeaders) => ({
  for: forwardedAddress(headers['x-forwarded-for']) !== null,
  proto: forwardedScheme(headers['x-forwarded-proto']) ?? '',
  host: forwardedHost(headers['x-forwarded-host']) ?? '',
})
