/** Connections of a server that closes those of strangers beyond a limit. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { recordingLog } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { authenticatedSockets, limitConnections } from './connection-limit.js'

describe('the limit on connections without a token', () => {
  let server: Server
  let sockets: Socket[]
  const log = recordingLog('debug')
  beforeEach(async () => {
    sockets = []
    server = createServer((request, response) => {
      if (request.headers.authorization !== undefined) authenticatedSockets.add(request.socket)
      response.end('x')
    })
    limitConnections(server, 3, log)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** Whether a new connection gets a response. */
  const isServed = async (headers = ''): Promise<boolean> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
  }

  it('closes a connection over the limit at once, logs that once, and accepts another after one has closed', async () => {
    for (let count = 0; count < 3; count += 1) expect(await isServed()).to.equal(true)
    expect(await isServed()).to.equal(false)
    expect(await isServed()).to.equal(false)
    expect(log.entries().map(({ event }) => event)).to.deep.equal(['too many connections'])
    const [first] = sockets
    first?.destroy()
    while ((await connectionsOf(server)) > 2) await new Promise((resolve) => setImmediate(resolve))
    expect(await isServed()).to.equal(true)
  })

  it('does not count connections that have had a valid token', async () => {
    for (let count = 0; count < 10; count += 1) expect(await isServed('Authorization: x\r\n')).to.equal(true)
    for (let count = 0; count < 3; count += 1) expect(await isServed()).to.equal(true)
    expect(await isServed()).to.equal(false)
  })
})

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
