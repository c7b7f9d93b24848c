/**
 * A process without free file descriptors: open connections continue to work, and failed operations work again
 * once there are descriptors. The limit is RLIMIT_NOFILE, which any user may set for running processes.
 */
import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeFilledFolder, type DataFolder } from './data-folder.js'
import { bootstrapKey, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'

const run = promisify(execFile)

/**
 * `prlimit` is part of util-linux. Free descriptors below the limit can still be used, so the process uses all of
 * them.
 */
const limitDescriptors = async ({ pid }: ServiceProcess, limit: number): Promise<void> => {
  await run('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
}

describe('a process without free file descriptors', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let service: ServiceProcess
  let agent: Agent
  before(async () => {
    folder = await makeFilledFolder()
    service = await startServiceProcess(folder.path)
    // One connection, opened before the limit.
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
  })
  after(() => agent.destroy())
  after(killRemaining)
  after(() => folder.remove())

  const statusOf = (method: string, path: string, body = ''): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = body === '' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
      const outgoing = request(`${service.url}${path}`, { agent, method, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  const signIn = (): Promise<number> => {
    const { key, secret } = bootstrapKey
    const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
    return statusOf('POST', '/oauth/token', new URLSearchParams(form).toString())
  }
  const documents = ['/openapi.json', '/docs', '/docs/errors'] as const

  it('fails until there are descriptors if it was not ready before', async () => {
    expect(await statusOf('GET', '/health/live')).to.equal(200)
    await limitDescriptors(service, 1)
    // A store without writes since its start may have to open a file.
    expect(await signIn()).to.be.oneOf([200, 503])
    expect(await statusOf('GET', '/health/ready')).to.equal(503)
    expect(await statusOf('GET', '/docs')).to.be.within(500, 599)
    await limitDescriptors(service, 4096)
    expect(await statusOf('GET', '/health/ready')).to.equal(200)
    expect(await signIn()).to.equal(200)
    for (const path of documents) expect(await statusOf('GET', path), path).to.equal(200)
  })

  it('signs in clients and serves its documents if it was ready before', async () => {
    expect(await statusOf('GET', '/health/ready')).to.equal(200)
    const defects = service.defects()
    await limitDescriptors(service, 1)
    expect(await signIn()).to.equal(200)
    for (const path of documents) expect(await statusOf('GET', path), path).to.equal(200)
    expect(service.defects()).to.deep.equal(defects)
  })
})
