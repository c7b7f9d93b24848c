/** Connections that clients without a token keep open. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const limited = { CONNECTIONS_PER_ADDRESS: '5' }

describe('connections without a token', function () {
  this.timeout(30_000)
  let service: TestService
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await service.stop()
  })

  const open = (request: string): Socket => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(request)
    return socket
  }

  const isServed = (headers = ''): Promise<boolean> => {
    const socket = open(`GET /1/settings HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
  }

  it('are limited per address, except those with a valid token', async () => {
    service = await startTestService(limited)
    const authorization = `Authorization: Bearer ${await service.tokenFor('reader')}\r\n`
    for (let count = 0; count < 8; count += 1) expect(await isServed(authorization)).to.equal(true)
    let served = 0
    while (served < 10 && (await isServed())) served += 1
    // The HTTP client keeps the connection of the token request open.
    expect(served).to.be.within(4, 5)
    expect(await isServed(authorization), 'nobody can tell a token before the request is read').to.equal(
      false,
    )
  })

  for (const environment of [{ TRUST_PROXY: 'true' }, { CONNECTIONS_PER_ADDRESS: '0' }])
    it(`are not limited with ${Object.keys(environment).join()}`, async () => {
      service = await startTestService({ ...limited, ...environment })
      for (let count = 0; count < 10; count += 1) expect(await isServed()).to.equal(true)
    })

  it('end after the response if the announced body is not sent', async () => {
    service = await startTestService(limited)
    const socket = open('GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
  })
})
