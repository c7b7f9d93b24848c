import { createServer, type Server } from 'node:http'
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
        const timer = setTimeout(() => server.closeAllConnections(), limit)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
