/** Checks first where the service is to listen: a first start that cannot listen must not create a key that is never shown. */
import { existsSync } from 'node:fs'
import { access, constants, lstat, unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Place } from '@publishing-service/adapter-koa'
import type { Configuration } from './configuration.js'
import { systemCode } from './thrown-errors.js'

/** The variables that name a port to listen on. */
type PortVariable = 'PORT' | 'METRICS_PORT'

type Chosen = Pick<Configuration, 'PORT' | 'HOST'>

/** HOST as a path is that of a socket, and PORT has no meaning then. */
export const placeOf = ({ PORT, HOST }: Chosen): Place =>
  HOST.startsWith('/') ? { path: HOST } : { port: PORT, host: HOST }

const portTaken = (port: number | null, host: string, variable: PortVariable): string =>
  `port ${port} on ${host} is in use: stop what listens there, or set ${variable} to another one (0 uses any free one)`

const socketTaken = (path: string): string =>
  `HOST, ${path}, is in use: stop the service that listens there, remove the file if it is no socket, or name another path`

/** What a failure to listen on the port of a variable means to the operator; null for another kind of failure. */
const portFailureText = (
  code: string | null,
  port: number | null,
  host: string,
  variable: PortVariable,
): string | null => {
  switch (code) {
    case 'EADDRINUSE':
      return portTaken(port, host, variable)
    case 'EACCES':
      return `this user may not listen on port ${port}: set ${variable} to one above 1023`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST, ${host}, is not an address of this machine: 127.0.0.1 serves only this machine, 0.0.0.0 all networks`
    default:
      return null
  }
}

const socketFailureText = (code: string | null, path: string): string | null => {
  switch (code) {
    case 'EADDRINUSE':
      return socketTaken(path)
    case 'EACCES':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EROFS':
      return `HOST, ${path}, can’t be made: its folder must exist, and this user must be allowed to write there`
    default:
      return null
  }
}

/** An Error whose message names HOST and PORT, in place of the system's; other failures unchanged. */
export const explainListenFailure = (error: unknown, chosen: Chosen): unknown => {
  const place = placeOf(chosen)
  const code = systemCode(error)
  const text =
    'path' in place
      ? socketFailureText(code, place.path)
      : portFailureText(code, place.port, place.host, 'PORT')
  return text === null ? error : new Error(text, { cause: error })
}

/** The same for the port of the metrics. */
export const explainMetricsFailure = (error: unknown, port: number | null, host: string): unknown => {
  const text = portFailureText(systemCode(error), port, host, 'METRICS_PORT')
  return text === null ? error : new Error(text, { cause: error })
}

/** Why nothing can listen at a host, on any port; null if it can. */
const hostError = (host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    // A worker asks the system too, and not the primary.
    server.listen({ port: 0, host, exclusive: true }, () => server.close(() => resolve(null)))
  })

/** Why no connection to a place can be made; null if something accepts it. */
const connectionError = (place: Place): Promise<unknown> =>
  new Promise((resolve) => {
    const socket = connect(place)
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.once('error', resolve)
  })

/** Whether the file is the socket of a process that has ended without removing it. */
const isLeftOver = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null)
  return found?.isSocket() === true && systemCode(await connectionError({ path })) === 'ECONNREFUSED'
}

/** Why no file can be made at a path; null if it can. Removes a socket that is left over. */
const pathError = async (path: string): Promise<unknown> => {
  try {
    await access(dirname(path), constants.W_OK | constants.X_OK)
    if (await isLeftOver(path)) await unlink(path)
    return null
  } catch (error) {
    return error
  }
}

/**
 * Rejects with a message if the service can't listen where it is to, as far as a check can know. The check itself listens
 * on another port: what a proxy sends to the port of the service would be accepted by the system, and reset at the end of
 * the check.
 */
export const checkPlace = async (chosen: Chosen): Promise<void> => {
  const place = placeOf(chosen)
  const error = await ('path' in place ? pathError(place.path) : hostError(place.host))
  if (error !== null) throw explainListenFailure(error, chosen)
  if ('path' in place) {
    if (existsSync(place.path)) throw new Error(socketTaken(place.path))
  } else if (place.port !== 0 && (await isPortTaken(place.port, place.host)))
    throw new Error(portTaken(place.port, place.host, 'PORT'))
}

/** Whether something accepts connections on a port. */
export const isPortTaken = async (port: number, host: string): Promise<boolean> =>
  (await connectionError({ port, host })) === null
