import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isComplete, type Exchanges } from './waiting.js'

/** Times in milliseconds. */
export type SilenceLimits = {
  /** How often a silent connection is looked at. */
  readonly interval: number
  /** The most time in which a client takes nothing of a response that waits to be sent. */
  readonly unread: number
  /** The most time without traffic within an exchange. */
  readonly idle: number
}

export const silenceLimits: SilenceLimits = { interval: 10_000, unread: 30_000, idle: 120_000 }

type Silence = {
  readonly at: number
  readonly duration: number
  /** Bytes that had been received by then. */
  readonly received: number
}

/**
 * Closes the connections on which nothing moves: within an exchange after a time, after it when the time of keep-alive
 * is over, and sooner where a response waits and the client takes nothing. Node.js reports a connection that was silent
 * for an interval; a partly written buffer counts as movement, which nothing but its timeout sees.
 */
export const closeSilent = (
  server: Server,
  exchanges: Exchanges,
  { interval, unread, idle }: SilenceLimits = silenceLimits,
): void => {
  const silences = new WeakMap<Socket, Silence>()

  const limitOf = (socket: Socket): number => {
    const exchange = exchanges.latest(socket)
    if (exchange !== null && isComplete(exchange)) return 0
    return socket.writableLength > 0 ? unread : idle
  }

  server.setTimeout(interval)
  server.on('timeout', (socket) => {
    const at = performance.now()
    const before = silences.get(socket)
    // Silent intervals follow each other at once; between others there was traffic. The next request of a client comes at once, too.
    const isContinued =
      before !== undefined && at - before.at < interval * 1.5 && before.received === socket.bytesRead
    const duration = interval + (isContinued ? before.duration : 0)
    if (duration >= limitOf(socket)) {
      socket.destroy()
      return
    }
    silences.set(socket, { at, duration, received: socket.bytesRead })
    socket.setTimeout(interval)
  })
}
