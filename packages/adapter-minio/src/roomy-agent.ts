/**
 * Connections that read into large room of their own. Node reads 64 KB at a time into room that it asks for anew, and
 * for a large body that, and clearing it away, takes longer than the copying (decision 37).
 */
import http from 'node:http'
import net from 'node:net'
import { areBodiesCopied } from './copied-bodies.js'

const roomBytes = 256 * 1024

/** For connections without TLS, which reads in its own way. */
export class RoomyAgent extends http.Agent {
  #readsAgain = false

  /** `copied` tells whether room may be read into again, since nobody has a part of it. */
  constructor(options: http.AgentOptions, copied: Promise<boolean> = areBodiesCopied()) {
    super(options)
    void this.#settle(copied)
  }

  async #settle(copied: Promise<boolean>): Promise<void> {
    try {
      this.#readsAgain = await copied
    } catch {
      this.#readsAgain = false
    }
  }

  override createConnection(options: net.NetConnectOpts): net.Socket {
    let room = Buffer.allocUnsafeSlow(roomBytes)
    const callback = (bytes: number): boolean => {
      const read = room.subarray(0, bytes)
      if (!this.#readsAgain) room = Buffer.allocUnsafeSlow(roomBytes)
      // Where it would come from without room of one's own, and where Node's client listens.
      socket.emit('data', read)
      return true
    }
    const socket: net.Socket = net.connect({ ...options, onread: { buffer: () => room, callback } })
    return socket
  }
}
