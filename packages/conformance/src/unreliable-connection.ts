/**
 * A TCP proxy between a client and a server that simulates network failures: cut, stalled, delayed and reset
 * connections. The client and the server keep running.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type UnreliableConnection = {
  /** The host:port that the client connects to. */
  readonly address: string
  /** Ends the failure: data passes again, including data that was stalled. */
  readonly restore: () => void
  /** Closes all connections, and closes new ones immediately. */
  readonly cut: () => void
  /** Connections stay open and accept bytes, but none arrive in either direction; also for new connections. */
  readonly stall: () => void
  /** Responses of the server arrive this many milliseconds delayed; requests are not delayed. */
  readonly delay: (milliseconds: number) => void
  /** Resets the open connections (RST); new ones work. */
  readonly reset: () => void
  /** The number of open connections. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

type State = 'passing' | 'cut' | 'stalled' | 'delayed'

/** Starts a proxy for the server at this address, on a free port of this machine. */
export const unreliableConnection = async (server: string): Promise<UnreliableConnection> => {
  const target = new URL(`tcp://${server}`)
  let state: State = 'passing'
  const pairs = new Map<Socket, Socket>()

  const pass = (client: Socket, upstream: Socket): void => {
    client.unpipe().resume().pipe(upstream)
    upstream.unpipe().removeAllListeners('data').resume().pipe(client)
  }
  const pause = (client: Socket, upstream: Socket): void => {
    client.unpipe().pause()
    upstream.unpipe().pause()
  }
  /** Delivers the delayed responses, each with its own timer, in order. */
  const delayed = new Set<() => void>()
  let delayMilliseconds = 0
  const passDelayed = (client: Socket, upstream: Socket): void => {
    client.unpipe().resume().pipe(upstream)
    upstream.unpipe().removeAllListeners('data')
    upstream.on('data', (chunk: Buffer) => {
      const deliver = (): void => {
        delayed.delete(deliver)
        clearTimeout(timer)
        if (!client.destroyed) client.write(chunk)
      }
      const timer = setTimeout(deliver, delayMilliseconds).unref()
      delayed.add(deliver)
    })
  }
  const each = (act: (client: Socket, upstream: Socket) => void): void =>
    [...pairs].forEach(([client, upstream]) => act(client, upstream))

  const listener = createServer({ allowHalfOpen: false }, (client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    pairs.set(client, upstream)
    const end = (): void => {
      pairs.delete(client)
      client.destroy()
      upstream.destroy()
    }
    // An error on one side closes both; the client reports it.
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', end).on('close', end)
    if (state === 'passing') pass(client, upstream)
    else if (state === 'delayed') passDelayed(client, upstream)
    else pause(client, upstream)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const bound = listener.address()
  if (bound === null || typeof bound === 'string') throw new Error('The proxy has no port')

  const endAll = (): void =>
    each((client, upstream) => {
      client.destroy()
      upstream.destroy()
    })

  return {
    address: `127.0.0.1:${bound.port}`,
    restore: () => {
      delayed.forEach((deliver) => deliver())
      if (state === 'stalled' || state === 'delayed') each(pass)
      state = 'passing'
    },
    cut: () => {
      state = 'cut'
      endAll()
    },
    stall: () => {
      state = 'stalled'
      each(pause)
    },
    delay: (milliseconds) => {
      delayMilliseconds = milliseconds
      state = 'delayed'
      each(passDelayed)
    },
    reset: () =>
      each((client, upstream) => {
        client.resetAndDestroy()
        upstream.destroy()
      }),
    connections: () => pairs.size,
    close: async () => {
      const closed = once(listener, 'close')
      listener.close()
      endAll()
      await closed
    },
  }
}
