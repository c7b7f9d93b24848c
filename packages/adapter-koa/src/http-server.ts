import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ReadRate, UseCases } from '@publishing-service/application'
import { createMalformedResponder } from './malformed-responder.js'
import { limitConnections } from './connection-limit.js'
import { closeSilent } from './close-silent.js'
import { isComplete, serveInTurn, type Exchanges } from './waiting.js'
import { deferContinue } from './read-body.js'
import { loadFormDecoder } from './read-form.js'
import { createHttpApp } from './http-app.js'
import type { HttpOptions } from './http-options.js'
import type { ServiceState, Watch } from './service.js'

/** Where the server listens: on a port, or on a socket of the file system. */
export type Place = { readonly port: number; readonly host: string } | { readonly path: string }

/** The steps of a shutdown, in milliseconds. */
export type ShutdownTimes = {
  /** How long the service goes on, while it reports that it is not ready. */
  readonly delay: number
  /**
   * How long a connection without a request stays open after the port has closed: a request that is on its way is answered,
   * because a proxy repeats no write that it has sent.
   */
  readonly idle: number
  /** How long running requests may take after the port has closed. */
  readonly limit: number
}

/** The HTTP server of the service. It can stop without losing a request. */
export type HttpServer = {
  /** Resolves with the port, or null for a socket. Rejects if the server can't listen there. */
  readonly listen: (place: Place) => Promise<number | null>
  /**
   * Goes on for the delay, closes the port, answers running requests and those on their way, and closes all connections at
   * the limit. `hurry` closes them at once.
   */
  readonly drain: (times: ShutdownTimes, hurry: AbortSignal) => Promise<void>
}

const headersLimit = 20_000
/** The most milliseconds from the first byte of a request to the last. */
const requestLimit = 30 * 60_000

/** Milliseconds between two checks for idle connections while the service drains. */
const drainInterval = 20
/** The least milliseconds in which a new connection may send its first request while the service drains. */
const firstRequestTime = 1000

/**
 * A check for idle connections, which closes those that have been idle for `idle` milliseconds. A response that began before
 * the service drained has not announced that its connection will be closed, so its connection is idle from its end on.
 */
const idleCheck = (exchanges: Exchanges, idle: number): (() => void) => {
  /** When the last exchange of a connection, or a connection without one, was first seen to be idle. */
  const seen = new WeakMap<object, number>()
  return () => {
    const now = performance.now()
    for (const [socket, exchange] of exchanges.open()) {
      if (exchange !== null && !isComplete(exchange)) continue
      const since = seen.get(exchange ?? socket) ?? now
      seen.set(exchange ?? socket, since)
      if (now - since >= (exchange === null ? Math.max(idle, firstRequestTime) : idle)) socket.destroySoon()
    }
  }
}

/** Turns of the event loop that are waited for at most, and the milliseconds of a short one. */
const [mostTurns, shortTurn] = [100, 1]

/**
 * Resolves right after a short turn of the event loop, which has accepted the connections that had arrived. The system resets those
 * that have not been accepted when the port closes, with the requests that they bring.
 */
const untilAccepted = async (): Promise<void> => {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const began = performance.now()
    await nextTurn()
    if (performance.now() - began < shortTurn) return
  }
}

/** Of a socket of the file system: its owner and group may connect, and so a proxy in that group. */
const socketMode = 0o660

export const createHttpServer = (
  useCases: UseCases,
  readRate: ReadRate | null,
  watch: Watch,
  options: HttpOptions,
): HttpServer => {
  const { log } = watch
  const state: ServiceState = { phase: 'serving' }
  const app = createHttpApp(useCases, readRate, watch, options, state)
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
    listen: async (place) => {
      await loadFormDecoder()
      server.listen(place)
      await once(server, 'listening')
      const address = server.address()
      if (typeof address === 'object') return address?.port ?? null
      await chmod(address, socketMode)
      return null
    },
    drain: async ({ delay, idle, limit }, hurry) => {
      if (delay > 0) {
        state.phase = 'leaving'
        // An abort ends the pause.
        await pause(delay, null, { signal: hurry }).catch(() => undefined)
      }
      state.phase = 'draining'
      const closeAll = (): void => server.closeAllConnections()
      const closeIdle = idleCheck(exchanges, idle)
      const timer = setTimeout(closeAll, hurry.aborted ? 0 : limit)
      const poll = setInterval(closeIdle, drainInterval)
      hurry.addEventListener('abort', closeAll)
      await untilAccepted()
      await new Promise<void>((resolve) => {
        // The method of the HTTP server would close idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
        closeIdle()
      })
      clearTimeout(timer)
      clearInterval(poll)
      hurry.removeEventListener('abort', closeAll)
      // Ends what Node.js does at intervals for a server that is open.
      server.close()
    },
  }
}
