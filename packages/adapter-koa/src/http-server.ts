import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ReadRate, UseCases } from '@publishing-service/application'
import type { Clock, Log } from '@publishing-service/ports'
import { createMalformedResponder } from './malformed-responder.js'
import { limitConnections } from './connection-limit.js'
import { isComplete, trackExchanges, type ConnectionExchanges } from './connection-exchanges.js'
import { loadFormParser } from './read-form.js'
import { createHttpApp } from './http-app.js'
import type { HttpOptions } from './http-options.js'

/** A service that listens, and can stop without losing a request. */
export type HttpServer = {
  /** The port it listens on. Rejects where it can't be had. */
  readonly listen: (port: number, host: string) => Promise<number>
  /** Takes no new connections, lets running requests end, and after `limit` milliseconds ends them itself. */
  readonly drain: (limit: number) => Promise<void>
}

/** A connection on which nothing moves for this long is given up, in milliseconds. */
const idleLimit = 120_000
const headersLimit = 20_000
/** The slowest body that is still taken: half an hour from first byte to last. */
const requestLimit = 30 * 60_000

/** Between two looks for connections that have become idle while the service drains, in milliseconds. */
const drainInterval = 20
/** How long a connection that hasn't sent anything yet may do so while the service drains, in milliseconds. */
const firstRequestTime = 1000

/** Ends the connections whose exchange is over; `waited` is how long the service has been draining. */
const closeIdle = (exchanges: ConnectionExchanges, waited: number): void => {
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
  let draining = false
  const app = createHttpApp(useCases, readRate, clock, log, options, () => draining)
  // Node’s own refusals have no body, so a missing host and unknown expectations are left to the application.
  const server: Server = createServer(
    { requestTimeout: requestLimit, headersTimeout: headersLimit, requireHostHeader: false },
    app.callback(),
  )
  const { connectionsPerAddress, trustProxy } = options
  // All connections of a proxy come from its address: there, the proxy limits its clients.
  if (connectionsPerAddress > 0 && !trustProxy) limitConnections(server, connectionsPerAddress, log)
  const exchanges = trackExchanges(server)
  const respondToMalformed = createMalformedResponder(options.baseUrl, exchanges, log)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket: Socket) => respondToMalformed(new Error('CONNECT'), socket))
  server.on('clientError', (error, socket) => respondToMalformed(error, socket as Socket))
  server.setTimeout(idleLimit)
  server.keepAliveTimeout = 72_000
  return {
    listen: async (port, host) => {
      await loadFormParser()
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
        draining = true
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
