/** Addresses at which a service is reached on this machine. */
import type { Configuration } from './configuration.js'
import { isPortTaken } from './free-port.js'

/** Wildcard addresses, with the loopback address that reaches the service. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Hosts at which a service is reached by `127.0.0.1`, and so by the name `localhost` on every machine. */
const reachedByName: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0'])

/** `port` is null on a socket, over which requests may name any host. */
export const localUrl = ({ HOST }: Pick<Configuration, 'HOST'>, port: number | null): string => {
  if (port === null) return 'http://localhost'
  const host = everywhere[HOST] ?? HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The address for people, with the name localhost, since browsers have passkeys of names only. If another service listens on
 * `::1`, browsers would find that one by the name. If nothing does, they are refused there and try `127.0.0.1`. Not every machine
 * finds `::1` by the name, so a service at this address only is shown with it. On a socket it is the address of the proxy.
 */
export const shownUrl = async (
  configuration: Pick<Configuration, 'HOST' | 'BASE_URL'>,
  port: number | null,
): Promise<string> => {
  const { HOST, BASE_URL } = configuration
  if (port === null) return BASE_URL ?? localUrl(configuration, port)
  const isLocal = HOST === '::' || (reachedByName.has(HOST) && !(await isPortTaken(port, '::1')))
  return BASE_URL === null && isLocal ? `http://localhost:${port}` : localUrl(configuration, port)
}
