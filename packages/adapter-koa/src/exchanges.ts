import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request and the answer to it. */
export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** All was read and all was sent: Node's own look at idle connections takes unsent answers for sent. */
export const isOver = ({ request, response }: Exchange): boolean =>
  request.complete && response.writableFinished

export type Exchanges = {
  /** What a connection has sent last; null before its first request. */
  readonly latest: (socket: Socket) => Exchange | null
  readonly open: () => Iterable<readonly [Socket, Exchange | null]>
}

/** Remembers the last exchange of each open connection of a server. */
export const trackExchanges = (server: Server): Exchanges => {
  const exchanges = new Map<Socket, Exchange | null>()
  server.on('connection', (socket) => {
    exchanges.set(socket, null)
    socket.once('close', () => exchanges.delete(socket))
  })
  server.prependListener('request', (request, response) =>
    exchanges.set(request.socket, { request, response }),
  )
  return { latest: (socket) => exchanges.get(socket) ?? null, open: () => exchanges }
}
