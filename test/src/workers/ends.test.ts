/** Workers that are killed, replaced and stopped under load: nothing acknowledged is lost, and no request of another one fails. */
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { killsOf } from '@publishing-service/conformance'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { createApi } from '../harness/http-client.js'
import { createSteadyClient, type SteadyClient } from './steady-clients.js'
import { childrenOf, logged, runs, startWorkers, untilListening } from './worker-processes.js'

/** KILLS says how many, as for other tests that end processes. */
const kills = killsOf(3)
const restarts = Math.min(kills, 10)
const clientCount = 10

type Load = {
  readonly clients: readonly SteadyClient[]
  readonly answered: () => number
  /** Waits until each client has had about so many answers more. */
  readonly someMore: (each: number) => Promise<void>
  readonly end: () => Promise<void>
}

const startLoad = async (service: ServiceProcess, token: string): Promise<Load> => {
  const clients = await Promise.all(
    Array.from({ length: clientCount }, () => createSteadyClient(service.url, token)),
  )
  let isOver = false
  const load = Promise.all(clients.map((client) => client.run(() => isOver)))
  const answered = (): number => clients.reduce((sum, client) => sum + client.answered(), 0)
  return {
    clients,
    answered,
    someMore: async (each) => {
      const enough = answered() + each * clientCount
      await waitFor('requests', async () => (answered() > enough ? true : null))
    },
    end: async () => {
      isOver = true
      await load
    },
  }
}

describe('workers under load', function () {
  this.timeout(900_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  before(async () => {
    folder = await makeFilledFolder()
    service = await startWorkers(folder.path, 2)
    token = await fetchToken(service.url)
  })
  after(async () => {
    await killRemaining()
    await folder.remove()
  })

  const verify = async ({ clients }: Load): Promise<void> => {
    const reader = createApi(`${service.url}/1`, token)
    for (const client of clients) expect(await client.verify(reader)).to.deep.equal([])
    expect(clients.flatMap((client) => client.faults())).to.deep.equal([])
    expect(service.defects()).to.deep.equal([])
  }

  it(`that are killed, ${kills} times, lose nothing, break no connection of others, and are replaced`, async () => {
    const load = await startLoad(service, token)
    const killed: { readonly at: number; readonly worker: number }[] = []
    await load.someMore(5)
    for (let kill = 0; kill < kills; kill += 1) {
      const count = logged(service, 'listening').length
      // The one that has run longest: a replacement is the last child.
      const [pid = 0] = await childrenOf(service.pid)
      const at = performance.now()
      process.kill(pid, 'SIGKILL')
      await untilListening(service, count + 1)
      const line = logged(service, 'worker ended').find((each) => each['pid'] === pid)
      killed.push({ at, worker: Number(line?.['worker']) })
      expect(line).to.include({ signal: 'SIGKILL', code: null })
      await load.someMore(5)
    }
    await load.end()
    expect(new Set(killed.map(({ worker }) => worker)).size).to.equal(Math.min(2, kills))
    await verify(load)
    // Each worker has written which requests it has answered; a killed one not the last ones.
    const workerOf = new Map(logged(service, 'request').map((line) => [line['request'], line['worker']]))
    const broken = load.clients.flatMap((client) => client.broken())
    for (const { at, last } of broken) {
      const worker = last === null ? undefined : workerOf.get(last)
      if (worker !== undefined) expect(worker).to.equal(killed.findLast((each) => each.at <= at)?.worker)
    }
    expect(broken.length).to.be.within(1, kills * clientCount)
    expect(await childrenOf(service.pid)).to.have.length(2)
  })

  it(`are replaced one after the other on SIGHUP, ${restarts} times: no request fails`, async () => {
    const load = await startLoad(service, token)
    await load.someMore(5)
    for (let restart = 1; restart <= restarts; restart += 1) {
      const former = await childrenOf(service.pid)
      process.kill(service.pid, 'SIGHUP')
      await waitFor('a restart', async () =>
        logged(service, 'workers restarted').length === restart ? true : null,
      )
      const now = await childrenOf(service.pid)
      expect(now).to.have.length(2)
      expect(now.filter((pid) => former.includes(pid))).to.deep.equal([])
      await load.someMore(5)
    }
    await load.end()
    expect(load.clients.flatMap((client) => client.broken())).to.deep.equal([])
    await verify(load)
  })

  it('that die with a connection that they have not accepted close it', async () => {
    const [one = 0] = await childrenOf(service.pid)
    const count = logged(service, 'listening').length
    process.kill(one, 'SIGSTOP')
    const { hostname, port } = new URL(service.url)
    const ends = Array.from(
      { length: 8 },
      () =>
        new Promise<string>((resolve) => {
          const socket = connect(Number(port), hostname)
          socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
          let text = ''
          socket.on('data', (piece) => (text += String(piece)))
          socket.on('error', () => undefined)
          socket.on('close', () => resolve(text.slice(0, 12)))
        }),
    )
    const answered = await waitFor('the other worker answers', async () => {
      const now = await Promise.all(ends.map((each) => Promise.race([each, setTimeout(50, null)])))
      return now.filter((each) => each === 'HTTP/1.1 200').length >= 7 ? now : null
    })
    expect(answered.filter((each) => each === null)).to.have.length.at.most(1)
    process.kill(one, 'SIGKILL')
    // Without an end, the test would not.
    await Promise.all(ends)
    await untilListening(service, count + 1)
  })

  it('end when the primary is killed', async () => {
    const workers = await childrenOf(service.pid)
    expect(workers).to.have.length(2)
    await service.kill()
    await waitFor('the workers end', async () => {
      const left = await Promise.all(workers.map(runs))
      return left.includes(true) ? null : true
    })
  })
})
