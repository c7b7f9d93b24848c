/** How the server listens, and how it stops without losing a request. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, request, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingLog } from '@publishing-service/adapter-memory'
import type { UseCases } from '@publishing-service/application'
import { noMetrics } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createHttpServer, type HttpServer } from './http-server.js'
import { clock, createService, options } from './test-support/memory-service.js'

/** Longer than a test. */
const forever = 600_000
const unlimited = { delay: forever, idle: forever, limit: forever }

type Answer = {
  readonly status: number | undefined
  readonly connection: string | undefined
  /** Whether the connection has had a request before. */
  readonly isKept: boolean
}

const get = (where: RequestOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(where, (response) => {
      const { statusCode: status, headers } = response
      response.resume()
      response.once('end', () =>
        resolve({ status, connection: headers.connection, isKept: outgoing.reusedSocket }),
      )
    })
    outgoing.once('error', reject)
    outgoing.end()
  })

const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })

describe('the HTTP server', () => {
  let server: HttpServer
  let useCases: UseCases
  let port: number
  let agent: Agent
  let hurry: AbortController
  /** Ends the wait of requests for readiness. */
  let release: () => void
  let waiting: number
  const log = recordingLog('error')
  const watch = { clock, log, metrics: noMetrics, requestScopes: null, traces: null }

  const start = async (): Promise<void> => {
    server = createHttpServer(useCases, null, watch, options)
    port = (await server.listen({ port: 0, host: '127.0.0.1' })) ?? 0
  }
  /** A request on the kept connection. */
  const getKept = (path: string): Promise<Answer> => get({ host: '127.0.0.1', port, path, agent })
  const getAnew = (path: string): Promise<Answer> => get({ host: '127.0.0.1', port, path, agent: false })
  const untilRefused = async (): Promise<void> => {
    while (!(await isRefused(port))) await new Promise((resolve) => setImmediate(resolve))
  }

  beforeEach(async () => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
    hurry = new AbortController()
    const service = await createService(log)
    const released = new Promise<void>((resolve) => (release = resolve))
    waiting = 0
    useCases = {
      ...service,
      checkReadiness: () => async () => {
        waiting += 1
        await released
        return service.checkReadiness()()
      },
    }
  })
  afterEach(async () => {
    agent.destroy()
    hurry.abort()
    await server.drain(unlimited, hurry.signal)
  })

  it('goes on for the delay, is not ready meanwhile, and ends at once if it is hurried', async () => {
    await start()
    const draining = server.drain(unlimited, hurry.signal)
    expect((await getAnew('/health/ready')).status).to.equal(503)
    expect(await getKept('/health/live')).to.deep.equal({
      status: 200,
      connection: 'keep-alive',
      isKept: false,
    })
    expect(await getKept('/health/live')).to.deep.equal({
      status: 200,
      connection: 'keep-alive',
      isKept: true,
    })
    hurry.abort()
    await draining
    expect(await isRefused(port)).to.equal(true)
  })

  it('answers what arrives on kept connections after the port has closed, and then closes them', async () => {
    await start()
    await getKept('/health/live')
    const draining = server.drain({ ...unlimited, delay: 0 }, hurry.signal)
    await untilRefused()
    expect(await getKept('/health/live')).to.deep.equal({ status: 200, connection: 'close', isKept: true })
    await draining
  })

  it('does so too on a connection whose request was being answered when the port closed', async () => {
    await start()
    const running = getKept('/health/ready')
    while (waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    const draining = server.drain({ ...unlimited, delay: 0 }, hurry.signal)
    await untilRefused()
    release()
    expect(await running).to.deep.equal({ status: 200, connection: 'keep-alive', isKept: false })
    expect(await getKept('/health/live')).to.deep.equal({ status: 200, connection: 'close', isKept: true })
    await draining
  })

  it('closes idle connections at once without a time for them', async () => {
    await start()
    await getKept('/health/live')
    await server.drain({ ...unlimited, delay: 0, idle: 0 }, hurry.signal)
  })

  it('closes all connections at the limit', async () => {
    await start()
    const running = getKept('/health/ready').then(String, String)
    while (waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    await server.drain({ ...unlimited, delay: 0, limit: 1 }, hurry.signal)
    expect(await running).to.match(/ECONNRESET|socket hang up/)
    release()
  })

  it('listens on a socket for its owner and group, without a limit of connections, and removes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'socket-'))
    const path = join(folder, 'service.sock')
    try {
      server = createHttpServer(useCases, null, watch, { ...options, connectionsPerAddress: 1 })
      expect(await server.listen({ path })).to.equal(null)
      expect((await stat(path)).mode & 0o777).to.equal(0o660)
      const open = [1, 2, 3].map(() => connect(path))
      expect((await get({ socketPath: path, path: '/health/live' })).status).to.equal(200)
      for (const socket of open) socket.destroy()
      await server.drain({ ...unlimited, delay: 0, idle: 0 }, hurry.signal)
      expect(existsSync(path)).to.equal(false)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
