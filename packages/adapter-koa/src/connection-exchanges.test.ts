/** The order in which requests of one connection are served, and how many may wait. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { recordingLog } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { serveInTurn, type Exchanges, type WaitingLimits } from './waiting.js'

describe('requests of one connection', () => {
  let server: Server
  let client: Socket
  let exchanges: Exchanges
  let served: { readonly request: IncomingMessage; readonly response: ServerResponse }[]
  let received: string
  const log = recordingLog('debug')

  const start = async (limits?: WaitingLimits): Promise<void> => {
    server = createServer()
    exchanges = serveInTurn(
      server,
      (request, response) => void served.push({ request, response }),
      log,
      limits,
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => undefined)
    client.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
  }
  beforeEach(() => {
    served = []
    received = ''
  })
  afterEach(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })

  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const post = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve))
  }

  const paths = (): readonly (string | undefined)[] => served.map(({ request }) => request.url)
  const responseTo = (index: number): ServerResponse => {
    const response = served[index]?.response
    if (response === undefined) throw new Error(`request ${index} is not served`)
    return response
  }
  const latestPath = (): string | undefined =>
    [...exchanges.open()].map(([, exchange]) => exchange?.request.url)[0]

  it('are served one at a time, in their order, each with its body', async () => {
    await start()
    client.write(`${get('/1')}${post('/2', 'body')}${get('/3')}`)
    await until(() => latestPath() === '/3')
    expect(paths()).to.deep.equal(['/1'])
    responseTo(0).end('one')
    await until(() => served.length > 1)
    expect(paths()).to.deep.equal(['/1', '/2'])
    let body = ''
    for await (const chunk of served[1]?.request ?? []) body += String(chunk)
    expect(body).to.equal('body')
    responseTo(1).end('two')
    await until(() => served.length > 2)
    responseTo(2).end('three')
    await until(() => received.endsWith('three\r\n0\r\n\r\n') || received.endsWith('three'))
    expect(received.indexOf('one')).to.be.within(0, received.indexOf('two'))
  })

  it('wait while the client does not take the response before', async () => {
    await start()
    client.pause()
    client.write(get('/1') + get('/2'))
    await until(() => latestPath() === '/2')
    responseTo(0).end(Buffer.alloc(64 * 1024 * 1024))
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(paths()).to.deep.equal(['/1'])
    client.resume()
    await until(() => served.length === 2)
  })

  it('are not served after a response that ends the connection', async () => {
    await start()
    client.write(get('/1') + get('/2'))
    await until(() => latestPath() === '/2')
    responseTo(0).setHeader('Connection', 'close').end('last')
    await once(client, 'close')
    expect(paths()).to.deep.equal(['/1'])
  })

  it('end the connection if too many bytes of them wait, and only that', async () => {
    await start({ connection: 30_000, process: 1_000_000 })
    client.write(get('/1').repeat(5))
    await until(() => served.length === 1)
    expect(client.destroyed).to.equal(false)
    client.write(get('/1').repeat(5))
    await once(client, 'close')
    expect(log.entries().map(({ event }) => event)).to.deep.equal(['too many waiting requests'])
    expect(served).to.have.lengthOf(1)
  })

  it('count together with those of other connections until these end', async () => {
    await start({ connection: 1_000_000, process: 20_000 })
    const open = (): Socket => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(get('/1').repeat(4))
      return socket
    }
    const first = open()
    await until(() => served.length === 1)
    await once(open(), 'close')
    first.destroy()
    await until(() => [...exchanges.open()].length === 1)
    const third = open()
    await until(() => served.length === 3)
    expect(third.destroyed).to.equal(false)
    third.destroy()
  })
})
