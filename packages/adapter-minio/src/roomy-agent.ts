/**
 * Connections that read into large room of their own. Node reads 64 KB at a time into room that it asks for anew, and
 * for a large body that, and clearing it away, takes longer than the copying.
 */
import http from 'node:http'
import net from 'node:net'

const roomBytes = 1024 * 1024
/** What is left of the room is given up where there is less than this. */
const leastRead = 64 * 1024

/** Room is read into once, for whoever has the bytes may keep them. */
const readingRoom = () => {
  let room = Buffer.alloc(0)
  let used = 0
  return {
    next: (): Buffer => {
      if (room.length - used < leastRead) {
        room = Buffer.allocUnsafeSlow(roomBytes)
        used = 0
      }
      return room.subarray(used)
    },
    take: (bytes: number): Buffer => {
      const taken = room.subarray(used, used + bytes)
      used += bytes
      return taken
    },
  }
}

/** For connections without TLS, which reads in its own way. */
export class RoomyAgent extends http.Agent {
  override createConnection(options: net.NetConnectOpts): net.Socket {
    const { next, take } = readingRoom()
    const callback = (bytes: number): boolean => {
      // Where it would come from without room of one's own, and where Node's client listens.
      socket.emit('data', take(bytes))
      return true
    }
    const socket: net.Socket = net.connect({ ...options, onread: { buffer: next, callback } })
    return socket
  }
}
