/**
 * A TCP proxy between a client and a server that simulates network failures: cut, stalled, delayed and reset
 * connections, and lost responses. The client and the server keep running.
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
  /**
   * Stalls once this many pieces of requests have passed, so that the response to the last one does not arrive. A piece is
   * what arrives at once, usually one statement.
   */
  readonly stallAfter: (pieces: number) => void
  /** Whether connections are stalled. */
  readonly isStalled: () => boolean
  /**
   * Requests pass, but after one with this text its connection gets no response: /COMMIT/ loses the responses to commits.
   * The text is compared with the bytes as Latin-1.
   */
  readonly loseAfter: (request: RegExp) => void
  /** Responses of the server arrive this many milliseconds delayed; requests are not delayed. */
  readonly delay: (milliseconds: number) => void
  /** Resets the open connections (RST); new ones work. */
  readonly reset: () => void
  /** The number of open connections. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

type State = 'passing' | 'cut' | 'stalled' | 'delayed'

/** Until when a piece is held; null if it passes. */
type Hold = Promise<unknown> | null

/** Writes each piece once it is no longer held, in order. */
const forward = (from: Socket, to: Socket, hold: (piece: Buffer) => Hold): void => {
  let last: Promise<unknown> = Promise.resolve()
  from.on('data', (piece: Buffer) => {
    const held = hold(piece)
    last = last.then(() => held).then(() => to.destroyed || to.write(piece))
  })
}

/** Starts a proxy for the server at this address, on a free port of this machine. */
export const unreliableConnection = async (server: string): Promise<UnreliableConnection> => {
  const target = new URL(`tcp://${server}`)
  const pairs = new Map<Socket, Socket>()
  let state: State = 'passing'
  let delayMilliseconds = 0
  let piecesLeft = Infinity
  let losesAfter: RegExp | null = null
  /** The clients that get no response. */
  const silent = new Set<Socket>()
  let release = (): void => {}
  const newRestoration = (): Promise<void> => new Promise((resolve) => (release = resolve))
  let restoration = newRestoration()

  const stall = (): void => {
    state = 'stalled'
    piecesLeft = Infinity
  }
  const holdRequest =
    (client: Socket) =>
    (piece: Buffer): Hold => {
      if (state === 'stalled') return restoration
      if (losesAfter?.test(piece.toString('latin1')) === true) silent.add(client)
      if (--piecesLeft === 0) stall()
      return null
    }
  const holdResponse = (client: Socket) => (): Hold => {
    if (state === 'stalled' || silent.has(client)) return restoration
    if (state !== 'delayed') return null
    const delayed = new Promise((resolve) => setTimeout(resolve, delayMilliseconds).unref())
    return Promise.race([restoration, delayed])
  }

  const listener = createServer({ allowHalfOpen: false }, (client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    pairs.set(client, upstream)
    const end = (): void => {
      pairs.delete(client)
      silent.delete(client)
      client.destroy()
      upstream.destroy()
    }
    // An error on one side closes both; the client reports it.
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', end).on('close', end)
    forward(client, upstream, holdRequest(client))
    forward(upstream, client, holdResponse(client))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const bound = listener.address()
  if (bound === null || typeof bound === 'string') throw new Error('The proxy has no port')

  const endAll = (): void =>
    pairs.forEach((upstream, client) => {
      client.destroy()
      upstream.destroy()
    })

  return {
    address: `127.0.0.1:${bound.port}`,
    restore: () => {
      state = 'passing'
      piecesLeft = Infinity
      losesAfter = null
      silent.clear()
      release()
      restoration = newRestoration()
    },
    cut: () => {
      state = 'cut'
      endAll()
    },
    stall,
    stallAfter: (pieces) => {
      if (pieces === 0) stall()
      else piecesLeft = pieces
    },
    isStalled: () => state === 'stalled',
    loseAfter: (request) => {
      losesAfter = request
    },
    delay: (milliseconds) => {
      delayMilliseconds = milliseconds
      state = 'delayed'
    },
    reset: () =>
      pairs.forEach((upstream, client) => {
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
