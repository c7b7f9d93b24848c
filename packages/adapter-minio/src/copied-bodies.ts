/** Whether what Node's client hands out of a body stays as it is, whatever becomes of the room it was read into. */
import http from 'node:http'
import { once } from 'node:events'
import { Duplex } from 'node:stream'

const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n'

/** Asks Node itself: an answer comes over a connection that leads nowhere, and then its room is overwritten. */
export const areBodiesCopied = async (): Promise<boolean> => {
  const connection = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  const request = http.request({ createConnection: () => connection })
  // How it ends is of no concern.
  request.on('error', () => undefined)
  request.end()
  await once(request, 'socket')
  const answered = once(request, 'response')
  const room = Buffer.from(`${head}a`)
  connection.emit('data', room)
  const [response] = (await answered) as [http.IncomingMessage]
  room.fill('b')
  const [body] = (await once(response, 'data')) as [Buffer]
  connection.destroy()
  return body.toString() === 'a'
}
