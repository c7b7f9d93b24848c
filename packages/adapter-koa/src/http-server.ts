import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { UseCases } from '@publishing-service/application'
import { asciiJson, errorAnswer, errorBody } from '@publishing-service/http-contract'
import type { Clock, Log } from '@publishing-service/ports'
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
const firstRequestLimit = 1000

/** What a connection has sent last, and the answer to it; null before its first request. */
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse } | null

/** All was read and all was sent: Node's own look at idle connections takes unsent answers for sent. */
const isOver = ({ request, response }: NonNullable<Exchange>): boolean =>
  request.complete && response.writableFinished

/** Remembers each connection's last exchange, and answers with what ends the connections whose exchange is over. */
const trackExchanges = (server: Server): ((waited: number) => void) => {
  const exchanges = new Map<Socket, Exchange>()
  server.on('connection', (socket) => {
    exchanges.set(socket, null)
    socket.once('close', () => exchanges.delete(socket))
  })
  server.prependListener('request', (request, response) =>
    exchanges.set(request.socket, { request, response }),
  )
  return (waited) => {
    for (const [socket, exchange] of exchanges)
      if (exchange === null ? waited > firstRequestLimit : isOver(exchange)) socket.destroySoon()
  }
}

/** Requests that aren't HTTP at all get the same kind of answer as others. */
const answerMalformed = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const answer = errorAnswer({
    _tag: 'BadRequest',
    reason: tooLong ? 'its headers are too long' : 'it is not HTTP as the service speaks it',
  })
  const body = asciiJson(errorBody(answer, ''))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

export const createHttpServer = (
  useCases: UseCases,
  clock: Clock,
  log: Log,
  options: HttpOptions,
): HttpServer => {
  let draining = false
  const app = createHttpApp(useCases, clock, log, options, () => draining)
  const server: Server = createServer(
    { requestTimeout: requestLimit, headersTimeout: headersLimit },
    app.callback(),
  )
  const endIdleConnections = trackExchanges(server)
  server.setTimeout(idleLimit)
  server.keepAliveTimeout = 72_000
  server.on('clientError', answerMalformed)
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    drain: (limit) =>
      new Promise((resolve) => {
        draining = true
        const started = performance.now()
        const timer = setTimeout(() => server.closeAllConnections(), limit)
        const looking = setInterval(() => endIdleConnections(performance.now() - started), drainInterval)
        endIdleConnections(0)
        server.close(() => {
          clearTimeout(timer)
          clearInterval(looking)
          resolve()
        })
      }),
  }
}
