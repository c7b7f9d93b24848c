/** Checks the port first: a first start that cannot listen must not create a key that is never shown. */
import { createServer } from 'node:net'
import type { Configuration } from './configuration.js'
import { systemCode } from './error-messages.js'

/** What a failure to listen means to the operator; null for another kind of failure. */
const listenFailureText = (
  error: unknown,
  { PORT, HOST }: Pick<Configuration, 'PORT' | 'HOST'>,
): string | null => {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return `port ${PORT} on ${HOST} is in use: stop what listens there, or set PORT to another one (0 uses any free one)`
    case 'EACCES':
      return `this user may not listen on port ${PORT}: set PORT to one above 1023`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST, ${HOST}, is not an address of this machine: 127.0.0.1 serves only this machine, 0.0.0.0 all networks`
    default:
      return null
  }
}

/** An Error whose message names HOST and PORT, in place of the system's. */
export const explainListenFailure = (
  error: unknown,
  configuration: Pick<Configuration, 'PORT' | 'HOST'>,
): unknown => {
  const text = listenFailureText(error, configuration)
  return text === null ? error : new Error(text, { cause: error })
}

/** Why nothing can listen on a port; null if it can. */
const listenError = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(null)))
  })

/** Listens on the port and closes it. Rejects with a message if the port is not available. */
export const checkPort = async (configuration: Pick<Configuration, 'PORT' | 'HOST'>): Promise<void> => {
  const error = await listenError(configuration.PORT, configuration.HOST)
  if (error !== null) throw explainListenFailure(error, configuration)
}

/** Whether something listens on a port, as far as this process may know. */
export const isPortTaken = async (port: number, host: string): Promise<boolean> =>
  systemCode(await listenError(port, host)) === 'EADDRINUSE'
