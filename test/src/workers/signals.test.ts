/** Signals to a service with workers (docs/run-in-production.md#every-core). */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { makeFilledFolder, type DataFolder } from '../durability/data-folder.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { createApi } from '../harness/http-client.js'
import { childrenOf, logged, runs, startWorkers } from './worker-processes.js'

describe('signals to a service with workers', function () {
  this.timeout(180_000)
  let folder: DataFolder
  let service: ServiceProcess
  let workers: readonly number[]
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    service = await startWorkers(folder.path, 2, environment)
    workers = await childrenOf(service.pid)
    expect(workers).to.have.length(2)
  }
  beforeEach(async () => {
    folder = await makeFilledFolder()
  })
  afterEach(async () => {
    await killRemaining()
    await folder.remove()
  })

  /** A write whose end is not sent, at any worker. */
  const beginWrite = async (): Promise<ClientRequest> => {
    const token = await fetchToken(service.url)
    const writing = request(`${service.url}/1/content/${randomUUID()}`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Expect: '100-continue',
      },
    })
    writing.flushHeaders()
    await once(writing, 'continue')
    writing.write('{"content_type": "article", "title": "The last one",')
    return writing
  }

  const stopping = (): Promise<true> =>
    waitFor('both stop', async () => (logged(service, 'stopping').length === 2 ? true : null))

  it('SIGTERM waits for the running requests of all, exit 0', async () => {
    await start()
    const writings = await Promise.all([beginWrite(), beginWrite(), beginWrite()])
    const responses = writings.map(async (writing) => {
      const [response] = await once(writing, 'response')
      return (response as { readonly statusCode: number }).statusCode
    })
    const ended = service.stop('SIGTERM')
    await stopping()
    for (const writing of writings) writing.end(`"urlname": "${randomUUID()}"}`)
    expect(await Promise.all(responses)).to.deep.equal([200, 200, 200])
    expect(await ended).to.equal(0)
    expect(await Promise.all(workers.map(runs))).to.deep.equal([false, false])
  })

  it('SIGTERM makes it not ready for SHUTDOWN_DELAY, while it serves; a second one ends all at once', async () => {
    await start({ SHUTDOWN_DELAY: '300' })
    const writing = await beginWrite()
    const broken = once(writing, 'response').then(String, String)
    const health = createApi(service.url)
    const ended = service.stop('SIGTERM')
    await waitFor('not ready', async () => ((await health.get('/health/ready')).status === 503 ? true : null))
    expect((await health.get('/health/live')).status).to.equal(200)
    // A second signal within half a second is treated as a repetition by npm.
    await setTimeout(600)
    process.kill(service.pid, 'SIGTERM')
    expect(await ended).to.equal(0)
    expect(await broken).to.match(/ECONNRESET|socket hang up/)
    expect(await Promise.all(workers.map(runs))).to.deep.equal([false, false])
  })

  it('SIGTERM kills a worker that does not end at its limit', async () => {
    await start()
    const [stuck = 0] = workers
    process.kill(stuck, 'SIGSTOP')
    expect(await service.stop('SIGTERM')).to.equal(0)
    expect(await Promise.all(workers.map(runs))).to.deep.equal([false, false])
  })

  it('SIGTERM to a worker has it replaced, without another one', async () => {
    await start()
    const [one = 0, other = 0] = workers
    process.kill(one, 'SIGTERM')
    await waitFor('the replacement', async () => (logged(service, 'listening').length === 3 ? true : null))
    const now = await childrenOf(service.pid)
    expect(now).to.include(other)
    expect(now).to.not.include(one)
    expect(now).to.have.length(2)
    expect(await service.stop()).to.equal(0)
  })

  it('SIGHUP changes nothing where the replacement cannot start', async () => {
    await start()
    process.kill(service.pid, 'SIGHUP')
    const replacement = await waitFor('a replacement begins', async () => {
      const found = (await childrenOf(service.pid)).find((pid) => !workers.includes(pid))
      return found ?? null
    })
    process.kill(replacement, 'SIGKILL')
    await waitFor('the report', async () =>
      logged(service, 'workers not restarted').length === 1 ? true : null,
    )
    expect(await childrenOf(service.pid)).to.have.members([...workers])
    expect((await createApi(service.url).get('/health/ready')).status).to.equal(200)
    expect(await service.stop()).to.equal(0)
  })
})
