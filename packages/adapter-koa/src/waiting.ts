/**
 * What waits on connections, and its limits: requests for the response before them, and bodies of responses for clients
 * that read slowly.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '@publishing-service/ports'
import type { Problem } from '@publishing-service/domain'

/** An exchange: a request and the response to it. */
type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The response that is sent first, if it was not yet sent when the request arrived. */
  readonly before: ServerResponse | null
}

/** Whether the request was read and the response sent. Node.js itself considers unsent responses as sent. */
export const isComplete = ({ request, response }: Omit<Exchange, 'before'>): boolean =>
  request.complete && response.writableFinished

export type Exchanges = {
  /** The latest exchange of a connection; null before its first request. */
  readonly latest: (socket: Socket) => Exchange | null
  readonly open: () => Iterable<readonly [Socket, Exchange | null]>
}

/** The most bytes of requests that wait for the response before them. */
export type WaitingLimits = { readonly connection: number; readonly process: number }

const waitingLimits: WaitingLimits = { connection: 512 * 1024, process: 32 * 1024 * 1024 }

/** Bytes that a waiting request uses in addition to what was received. */
const requestOverhead = 4096

type Connection = {
  latest: Exchange | null
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
): Exchanges => {
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

/** Bytes of a body that is neither counted nor refused: the buffers of the connection usually have space for it. */
export const smallBody = 16 * 1024

const refusal: Problem = { _tag: 'Unavailable', retryAfter: 5 }

/** Bodies of responses of this process that wait to be sent. */
export type UnsentBodies = {
  /**
   * Counts the bytes of a body that is not small until the response is sent or its connection closed. Returns the problem to send instead where the
   * limit is exceeded.
   */
  readonly add: (response: ServerResponse, bytes: number) => Problem | null
}

/**
 * Limits the bytes of bodies that wait because their clients don't read (docs/run-in-production.md#limits). Small bodies
 * are not counted: health checks, errors and most objects are sent whatever other clients do. Only GET is refused: a
 * write has already been made.
 */
export const limitUnsentBodies = (limit: number, log: Log): UnsentBodies => {
  let unsent = 0
  let isLogged = false
  return {
    add: (response, bytes) => {
      // The response has no body, or there is no client anymore: nothing waits.
      if (response.req.method === 'HEAD' || response.destroyed) return null
      if (unsent + bytes > limit && response.req.method === 'GET') {
        // Logged once each time that the limit is reached.
        if (!isLogged) log.write('warn', 'too many unsent responses', { bytes: unsent, limit })
        isLogged = true
        return refusal
      }
      unsent += bytes
      response.once('close', () => {
        unsent -= bytes
        if (unsent < limit / 2) isLogged = false
      })
      return null
    },
  }
}
