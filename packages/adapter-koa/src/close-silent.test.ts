/** Connections on which nothing moves, with short times. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { recordingLog } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { closeSilent } from './close-silent.js'
import { serveInTurn } from './waiting.js'

const interval = 50
const unread = 150
const idle = 500
/** More than the operating system takes of a response without a reader. */
const large = Buffer.alloc(32 * 1024 * 1024)

describe('a silent connection', () => {
  let server: Server
  let client: Socket
  let respond: (response: ServerResponse) => void
  let requested: number
  const start = async (idleLimit: number): Promise<void> => {
    server = createServer()
    const exchanges = serveInTurn(
      server,
      (_request, response) => {
        requested = performance.now()
        respond(response)
      },
      recordingLog('error'),
    )
    closeSilent(server, exchanges, { interval, unread, idle: idleLimit })
    server.keepAliveTimeout = interval
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => undefined)
    client.pause()
  }
  afterEach(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })

  const request = (): void => void client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')

  /** Milliseconds from the request until the server has closed the connection. */
  const closedAfter = async (): Promise<number> => {
    const [socket] = (await once(server, 'connection')) as [Socket]
    // Not `once`, which rejects where the client resets the connection.
    await new Promise((resolve) => socket.once('close', resolve))
    return performance.now() - requested
  }

  it('is closed soon if a response waits and the client takes nothing', async () => {
    await start(10_000)
    respond = (response) => void response.end(large)
    request()
    expect(await closedAfter()).to.be.within(unread - interval, 5000)
  })

  it('stays open while the client takes a little at a time', async () => {
    await start(10_000)
    respond = (response) => void response.end(large)
    request()
    const closed = closedAfter()
    let taken = 0
    while (taken < 3 * unread) {
      await setTimeout(interval / 2)
      taken += interval / 2
      client.read(1024 * 1024)
    }
    client.destroy()
    expect(await closed).to.be.above(2 * unread)
  })

  it('stays open for longer while the service works on the response', async () => {
    await start(idle)
    respond = () => undefined
    request()
    expect(await closedAfter()).to.be.within(idle - interval, 5000)
  })

  it('stays open for requests that follow each other, each of which takes longer than an interval', async () => {
    await start(idle)
    respond = (response) => void setTimeout(interval * 1.2).then(() => response.end('x'))
    client.resume()
    let answers = 0
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    for (let taken = 0; taken < 2 * idle; taken += interval * 1.2) {
      const answered = once(client, 'data').then(() => (answers += 1))
      request()
      await Promise.race([answered, closed])
    }
    expect(answers * interval * 1.2).to.be.at.least(2 * idle)
  })

  it('is closed after the response when the time of keep-alive is over', async () => {
    await start(10_000)
    respond = (response) => void response.end('x')
    client.resume()
    request()
    expect(await closedAfter()).to.be.below(5000)
  })
})
