/**
 * A TCP proxy that fails as networks fail: cut off, stalled, reset. It stands between a client and a server, so
 * that an outage can be made and ended at will while both keep running.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type UnreliableConnection = {
  /** host:port that the client connects to. */
  readonly address: string
  /** Everything passes, from now on and where it had stalled. */
  readonly restore: () => void
  /** Connections end, and new ones are refused by an immediate end. */
  readonly cut: () => void
  /** Connections stay and take bytes, but nothing arrives any more, either way; new connections too. */
  readonly stall: () => void
  /** What the client sends arrives at once, what the server answers so many milliseconds late. */
  readonly delay: (milliseconds: number) => void
  /** Connections break with RST, once; new ones pass. */
  readonly reset: () => void
  /** How many connections are open. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

type State = 'passing' | 'cut' | 'stalled' | 'late'

/** Stands before the server at this address, on a free port of this machine. */
export const unreliableConnection = async (server: string): Promise<UnreliableConnection> => {
  const target = new URL(`tcp://${server}`)
  let state: State = 'passing'
  const pairs = new Map<Socket, Socket>()

  const pass = (client: Socket, upstream: Socket): void => {
    client.unpipe().resume().pipe(upstream)
    upstream.unpipe().removeAllListeners('data').resume().pipe(client)
  }
  const hold = (client: Socket, upstream: Socket): void => {
    client.unpipe().pause()
    upstream.unpipe().pause()
  }
  /** Answers on their way that are late, each by its own time, in their order. */
  const late = new Set<() => void>()
  let lateness = 0
  const passLate = (client: Socket, upstream: Socket): void => {
    client.unpipe().resume().pipe(upstream)
    upstream.unpipe().removeAllListeners('data')
    upstream.on('data', (chunk: Buffer) => {
      const arrive = (): void => {
        late.delete(arrive)
        clearTimeout(timer)
        if (!client.destroyed) client.write(chunk)
      }
      const timer = setTimeout(arrive, lateness).unref()
      late.add(arrive)
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
    // What breaks on one side breaks on the other; the client sees it and says so.
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', end).on('close', end)
    if (state === 'passing') pass(client, upstream)
    else if (state === 'late') passLate(client, upstream)
    else hold(client, upstream)
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
      late.forEach((arrive) => arrive())
      if (state === 'stalled' || state === 'late') each(pass)
      state = 'passing'
    },
    cut: () => {
      state = 'cut'
      endAll()
    },
    stall: () => {
      state = 'stalled'
      each(hold)
    },
    delay: (milliseconds) => {
      lateness = milliseconds
      state = 'late'
      each(passLate)
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
