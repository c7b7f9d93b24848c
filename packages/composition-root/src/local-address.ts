/** Addresses at which a service is reached on this machine. */
import type { Configuration } from './configuration.js'
import { isPortTaken } from './free-port.js'

/** Wildcard addresses, with the loopback address that reaches the service. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The other address that browsers try for `localhost`. */
const otherLoopback: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '0.0.0.0': '::1',
  '::1': '127.0.0.1',
}

export const localUrl = ({ HOST }: Pick<Configuration, 'HOST'>, port: number): string => {
  const host = everywhere[HOST] ?? HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The address for people, with the name localhost, since browsers have passkeys of names only. If another service listens on
 * the other address of that name, browsers would find that one. If nothing does, they are refused there and try this one.
 */
export const shownUrl = async (
  configuration: Pick<Configuration, 'HOST' | 'BASE_URL'>,
  port: number,
): Promise<string> => {
  const { HOST, BASE_URL } = configuration
  const other = otherLoopback[HOST]
  const isLocal = HOST === '::' || (other !== undefined && !(await isPortTaken(port, other)))
  return BASE_URL === null && isLocal ? `http://localhost:${port}` : localUrl(configuration, port)
}
