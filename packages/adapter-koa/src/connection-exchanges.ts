import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request and the response to it. */
export type ConnectionExchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** Whether the request was read and the response sent. Node.js itself considers unsent responses as sent. */
export const isComplete = ({ request, response }: ConnectionExchange): boolean =>
  request.complete && response.writableFinished

export type ConnectionExchanges = {
  /** The latest exchange of a connection; null before its first request. */
  readonly latest: (socket: Socket) => ConnectionExchange | null
  readonly open: () => Iterable<readonly [Socket, ConnectionExchange | null]>
}

/** Records the latest exchange of each open connection of a server. */
export const trackExchanges = (server: Server): ConnectionExchanges => {
  const exchanges = new Map<Socket, ConnectionExchange | null>()
  server.on('connection', (socket) => {
    exchanges.set(socket, null)
    socket.once('close', () => exchanges.delete(socket))
  })
  server.prependListener('request', (request, response) =>
    exchanges.set(request.socket, { request, response }),
  )
  return { latest: (socket) => exchanges.get(socket) ?? null, open: () => exchanges }
}
