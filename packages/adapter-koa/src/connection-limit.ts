import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from '@publishing-service/access'
import type { Log } from '@publishing-service/ports'

/** The connections that have had a request with a valid token: they no longer count. */
export const authenticatedSockets = new WeakSet<Socket>()

/**
 * Limits the connections of one address that have had no valid token, so that one client without a token can't use all
 * connections of the process. A connection over the limit is closed at once, before anything is read from it.
 */
export const limitConnections = (server: Server, limit: number, log: Log): void => {
  const unauthenticated = new Map<string, Set<Socket>>()
  const logged = new Set<string>()
  server.on('connection', (socket: Socket) => {
    // A connection over a socket of the file system has no address: it is that of a proxy, which limits its clients itself.
    if (socket.remoteAddress === undefined) return
    const network = clientAddress(socket.remoteAddress)
    const open = unauthenticated.get(network) ?? new Set()
    if (open.size >= limit) for (const each of open) if (authenticatedSockets.has(each)) open.delete(each)
    if (open.size >= limit) {
      // Logged once each time that an address reaches the limit, so that a flood does not fill the log.
      if (!logged.has(network)) log.write('warn', 'too many connections', { address: network, limit })
      logged.add(network)
      socket.destroy()
      return
    }
    logged.delete(network)
    open.add(socket)
    unauthenticated.set(network, open)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0 && unauthenticated.get(network) === open) unauthenticated.delete(network)
    })
  })
}
