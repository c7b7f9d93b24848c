/** WORKERS: the start of several, and what prevents it (docs/run-in-production.md#every-core). */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { makeDataFolder, makeFilledFolder } from '../durability/data-folder.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { rowsOf } from '../harness/expect-response.js'
import { createApi, oneConnection } from '../harness/http-client.js'
import { expectFailure, launchService, runService, withDirectory } from '../start-up/program.js'
import { childrenOf, logged, runs, startWorkers, untilListening } from './worker-processes.js'

describe('a start with workers', function () {
  this.timeout(180_000)
  after(killRemaining)

  it('makes the data, prints the key and the address once, and serves on all of them', async () => {
    const folder = await makeDataFolder()
    const service = await startServiceProcess(folder.path, { WORKERS: '3', LOG_LEVEL: 'info' })
    await untilListening(service, 3)
    expect(await childrenOf(service.pid)).to.have.length(3)
    const text = service.output().join('\n')
    for (const once of ['The publishing service listens on', 'API key  ', 'set-up link written'])
      expect(text.split(once), once).to.have.length(2)
    expect(new Set(logged(service, 'listening').map(({ port }) => port)).size).to.equal(1)
    const admin = await adminApi(service)
    expect(rowsOf(await admin.get('/content?fields=title&rpp=100'))).to.have.length(12)
    const health = () => createApi(service.url, null, oneConnection()).get('/health/live')
    await Promise.all(Array.from({ length: 12 }, health))
    const served = await waitFor('the log of requests', async () => {
      const lines = logged(service, 'request').filter(({ path }) => path === '/health/live')
      return lines.length === 12 ? new Set(lines.map(({ worker }) => worker)) : null
    })
    expect([...served]).to.have.members([1, 2, 3])
    expect(await service.stop()).to.equal(0)
    expect(service.defects()).to.deep.equal([])
    await folder.remove()
  })

  it('with one is the service alone, without a second process', async () => {
    const folder = await makeFilledFolder()
    const service = await startWorkers(folder.path, 1)
    expect(await childrenOf(service.pid)).to.deep.equal([])
    expect(logged(service, 'listening')[0]).to.not.have.property('worker')
    expect(await service.stop()).to.equal(0)
    await folder.remove()
  })

  it('ends as that of one if the configuration is wrong, or the stores are not shared', () =>
    withDirectory(async (DATA_DIR) => {
      const fails = async (own: Readonly<Record<string, string>>, code: number, message: RegExp) =>
        expectFailure(await runService({ DATA_DIR, WORKERS: '2', ...own }).ended, code, message)
      await fails(
        { WORKERS: 'many' },
        78,
        /WORKERS must be auto, or a whole number from 1 to 256; «many» is not/,
      )
      await fails({ IMAGING: 'gd' }, 78, /^[^\n]+\n  - IMAGING must be one of jimp, sharp; «gd» is not\n$/)
      await fails({ STORE: 'memory' }, 78, /WORKERS must be 1 where STORE is in memory/)
      await fails({ BLOBS: 'memory' }, 78, /WORKERS must be 1 where BLOBS is in memory/)
      await fails({ METRICS_PORT: '70000' }, 78, /METRICS_PORT must be a whole number/)
    }))

  it('ends, once, if a port is taken, with the name of the variable', () =>
    withDirectory(async (directory) => {
      const server = createServer()
      const port = await new Promise<string>((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address()
          resolve(String(typeof address === 'object' ? address?.port : ''))
        })
      })
      for (const variable of ['PORT', 'METRICS_PORT']) {
        const DATA_DIR = join(directory, variable)
        const { ended } = runService({ DATA_DIR, WORKERS: '2', [variable]: port })
        expectFailure(
          await ended,
          69,
          new RegExp(
            `^[^\\n]+\\n  - port ${port} on 127.0.0.1 is in use: [^\\n]* set ${variable} [^\\n]*\\n$`,
          ),
        )
        expect(existsSync(join(DATA_DIR, 'first-key.env')), variable).to.equal(false)
      }
      server.close()
    }))

  it('has the options of the command line, and the help, from the first worker', () =>
    withDirectory(async (DATA_DIR) => {
      const { code, out } = await runService({ DATA_DIR, WORKERS: '2' }, '--help').ended
      expect([code, out.startsWith('Usage: npm start')]).to.deep.equal([0, true])
      expect((await runService({ DATA_DIR, WORKERS: '2' }, '--unknown').ended).code).to.equal(2)
      const service = await launchService({ DATA_DIR, WORKERS: '2' }, '--adopt-blobs')
      // The second one is just starting.
      expect((await service.stop()).code).to.equal(0)
    }))

  it('can listen on a socket of the file system, which the last one removes', async () => {
    const folder = await makeFilledFolder()
    const socketPath = join(folder.path, 'service.sock')
    const program = runService({ DATA_DIR: folder.path, WORKERS: '2', HOST: socketPath, LOG_LEVEL: 'info' })
    await program.printed(/listens on the socket/)
    await waitFor('both listen', async () =>
      (await childrenOf(program.child.pid ?? 0)).length === 2 ? true : null,
    )
    for (let count = 0; count < 6; count += 1) {
      const status = await new Promise((resolve, reject) => {
        const outgoing = request({ socketPath, path: '/health/ready', agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        outgoing.once('error', reject).end()
      })
      expect(status).to.equal(200)
    }
    program.signal('SIGTERM')
    expect((await program.ended).code).to.equal(0)
    expect(existsSync(socketPath)).to.equal(false)
    await folder.remove()
  })

  it('has one server of metrics, with those of all workers together, also of those that have ended', async () => {
    const folder = await makeFilledFolder()
    const service = await startWorkers(folder.path, 2, { METRICS_PORT: '0' })
    const [line] = logged(service, 'metrics listening')
    const values = async (): Promise<ReadonlyMap<string, number>> => {
      const text = await (await fetch(`http://127.0.0.1:${String(line?.['port'])}/metrics`)).text()
      const found = [...text.matchAll(/^publishing_(\S+) (\S+)$/gm)]
      return new Map(found.map(([, name = '', value]) => [name, Number(value)]))
    }
    const live = 'http_request_duration_seconds_count{endpoint="readLiveness",status="200"}'
    const health = () => createApi(service.url, null, oneConnection()).get('/health/live')
    await Promise.all(Array.from({ length: 10 }, health))
    await waitFor('all requests are counted', async () => ((await values()).get(live) === 10 ? true : null))
    const before = await values()
    expect(before.get('workers')).to.equal(2)
    expect(before.get('worker_replacements_total')).to.equal(0)
    // It is that of the folder, and not a sum.
    const { bavail, bsize } = await statfs(folder.path)
    expect(before.get('data_dir_free_bytes')).to.be.within(1, 1.5 * bavail * bsize)
    const [victim = 0] = await childrenOf(service.pid)
    process.kill(victim, 'SIGKILL')
    await untilListening(service, 3)
    const afterwards = await values()
    expect(afterwards.get('workers')).to.equal(2)
    expect(afterwards.get('worker_replacements_total')).to.equal(1)
    expect(afterwards.get(live)).to.equal(10)
    expect(await runs(victim)).to.equal(false)
    expect(await service.stop()).to.equal(0)
    await folder.remove()
  })
})
