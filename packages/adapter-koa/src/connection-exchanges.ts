import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '@publishing-service/ports'

/** A request and the response to it. */
export type ConnectionExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The response that is sent first, if it was not yet sent when the request arrived. */
  readonly before: ServerResponse | null
}

/** Whether the request was read and the response sent. Node.js itself considers unsent responses as sent. */
export const isComplete = ({ request, response }: Omit<ConnectionExchange, 'before'>): boolean =>
  request.complete && response.writableFinished

export type ConnectionExchanges = {
  /** The latest exchange of a connection; null before its first request. */
  readonly latest: (socket: Socket) => ConnectionExchange | null
  readonly open: () => Iterable<readonly [Socket, ConnectionExchange | null]>
}

/** The most bytes of requests that wait for the response before them. */
export type WaitingLimits = { readonly connection: number; readonly process: number }

export const waitingLimits: WaitingLimits = { connection: 512 * 1024, process: 32 * 1024 * 1024 }

/** Bytes that a waiting request uses in addition to what was received. */
const requestOverhead = 4096

type Connection = {
  latest: ConnectionExchange | null
  /** Bytes of its waiting requests. */
  waiting: number
  /** Bytes received before the latest of these. */
  received: number
}

/**
 * Serves the requests of each connection one at a time: the next one when the operating system has taken the response
 * before it, so that a client that sends many requests and reads nothing causes one response. Node.js emits requests as
 * they arrive; those that wait are limited in bytes, and a connection that exceeds a limit is closed.
 */
export const serveInTurn = (
  server: Server,
  serve: RequestListener,
  log: Log,
  limits: WaitingLimits = waitingLimits,
): ConnectionExchanges => {
  const connections = new Map<Socket, Connection>()
  let waiting = 0

  server.on('connection', (socket) => {
    const connection: Connection = { latest: null, waiting: 0, received: 0 }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      waiting -= connection.waiting
    })
  })

  const wait = (socket: Socket, connection: Connection, before: ServerResponse, then: () => void): void => {
    const received = socket.bytesRead
    const bytes = requestOverhead + (connection.waiting === 0 ? 0 : received - connection.received)
    connection.received = received
    if (connection.waiting + bytes > limits.connection || waiting + bytes > limits.process) {
      // The rest of what was received is still emitted.
      if (!socket.destroyed) log.write('warn', 'too many waiting requests', { address: socket.remoteAddress })
      socket.destroy()
      return
    }
    connection.waiting += bytes
    waiting += bytes
    before.once('finish', () => {
      if (!connections.has(socket)) return
      connection.waiting -= bytes
      waiting -= bytes
      // Not if the response before has ended the connection.
      if (socket.writable) then()
    })
  }

  server.on('request', (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    const previous = connection?.latest?.response
    if (connection === undefined || previous === undefined || previous.writableFinished) {
      if (connection !== undefined) connection.latest = { request, response, before: null }
      serve(request, response)
      return
    }
    connection.latest = { request, response, before: previous }
    wait(socket, connection, previous, () => serve(request, response))
  })

  return {
    latest: (socket) => connections.get(socket)?.latest ?? null,
    open: function* () {
      for (const [socket, { latest }] of connections) yield [socket, latest] as const
    },
  }
}
