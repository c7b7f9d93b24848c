import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ReadRate, UseCases } from '@publishing-service/application'
import type { Clock, Log } from '@publishing-service/ports'
import { createMalformedResponder } from './malformed-responder.js'
import { limitConnections } from './connection-limit.js'
import { closeSilent } from './close-silent.js'
import { isComplete, serveInTurn, type Exchanges } from './waiting.js'
import { deferContinue } from './read-body.js'
import { loadFormDecoder } from './read-form.js'
import { createHttpApp } from './http-app.js'
import type { HttpOptions } from './http-options.js'
import type { ServiceState } from './service.js'

/** The HTTP server of the service. It can stop without losing a request. */
export type HttpServer = {
  /** Resolves with the port. Rejects where the server can't listen on it. */
  readonly listen: (port: number, host: string) => Promise<number>
  /** Accepts no new connections, waits for running requests, and closes all connections after `limit` milliseconds. */
  readonly drain: (limit: number) => Promise<void>
}

const headersLimit = 20_000
/** The most milliseconds from the first byte of a request to the last. */
const requestLimit = 30 * 60_000

/** Milliseconds between two checks for idle connections while the service drains. */
const drainInterval = 20
/** Milliseconds in which a new connection may send its first request while the service drains. */
const firstRequestTime = 1000

/** Closes the connections whose exchange is complete; `waited` is how long the service has been draining. */
const closeIdle = (exchanges: Exchanges, waited: number): void => {
  for (const [socket, exchange] of exchanges.open())
    if (exchange === null ? waited > firstRequestTime : isComplete(exchange)) socket.destroySoon()
}

export const createHttpServer = (
  useCases: UseCases,
  readRate: ReadRate | null,
  clock: Clock,
  log: Log,
  options: HttpOptions,
): HttpServer => {
  const state: ServiceState = { isDraining: false }
  const app = createHttpApp(useCases, readRate, clock, log, options, state)
  // The error responses of Node.js have no body, so the application handles a missing host and unknown expectations.
  const server: Server = createServer({
    requestTimeout: requestLimit,
    headersTimeout: headersLimit,
    requireHostHeader: false,
  })
  const { connectionsPerAddress, trustProxy } = options
  // All connections of a proxy have its address; the proxy limits its clients itself.
  if (connectionsPerAddress > 0 && !trustProxy) limitConnections(server, connectionsPerAddress, log)
  const exchanges = serveInTurn(server, app.callback(), log)
  const respondToMalformed = createMalformedResponder(options.baseUrl, exchanges, log)
  deferContinue(server)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket: Socket) => respondToMalformed(new Error('CONNECT'), socket))
  server.on('clientError', (error, socket) => respondToMalformed(error, socket as Socket))
  closeSilent(server, exchanges)
  server.keepAliveTimeout = 72_000
  return {
    listen: async (port, host) => {
      await loadFormDecoder()
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      })
    },
    drain: (limit) =>
      new Promise((resolve) => {
        state.isDraining = true
        const started = performance.now()
        const timer = setTimeout(() => server.closeAllConnections(), limit)
        const poll = setInterval(() => closeIdle(exchanges, performance.now() - started), drainInterval)
        closeIdle(exchanges, 0)
        server.close(() => {
          clearTimeout(timer)
          clearInterval(poll)
          resolve()
        })
      }),
  }
}
