/**
 * File data is streamed: hundreds of megabytes in either direction add at most 64 MB to the memory of the service for one
 * client, and at most 12 MB for each of several slow clients. The limits leave room for garbage that Node has not
 * collected yet.
 */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { memoryOf } from '../harness/process-use.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { makeFilledFolder, type DataFolder } from './data-folder.js'
import { downloadLarge, largeDigest, uploadLarge, type Endpoint } from './large-data.js'
import {
  bytesMoved,
  fetchToken,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from './service-process.js'
import { putFile } from './written-objects.js'

const megabyte = 1_000_000
const megabytes = 100
const bytes = megabytes * megabyte
const noCache = { 'Cache-Control': 'no-cache' }
const allowance = 64 * megabyte
/** Clients that download at the same time. Each has buffers of its own. */
const slowClients = 8
const slowAllowance = slowClients * 12 * megabyte

describe('large files', function () {
  this.timeout(90_000)
  let folder: DataFolder
  let service: ServiceProcess
  let endpoint: Endpoint
  let api: Api
  let path: string
  /** Resident memory before the first large file, in bytes. */
  let idle: number
  const id = randomUUID()
  const digest = largeDigest(bytes)
  before(async () => {
    folder = await makeFilledFolder()
    service = await startServiceProcess(folder.path)
    endpoint = { url: service.url, token: await fetchToken(service.url) }
    api = createApi(`${service.url}/1`, endpoint.token)
    // The first requests grow the heap and compile the code, which is not part of the measurement.
    const small = randomUUID()
    await putFile(api, small, 'small')
    for (let count = 0; count < 150; count += 1) expectOk(await api.get('/content', noCache))
    await downloadLarge(endpoint, await uploadLarge(endpoint, small, 20 * megabyte))
    await putFile(api, id, 'large')
    idle = (await memory()).resident
  })
  after(killRemaining)
  after(() => folder.remove())

  const memory = async () => {
    const found = await memoryOf(service.pid)
    if (found === null) throw new Error('the system doesn’t tell what memory a process has: see proc(5)')
    return found
  }

  /** The peak memory of the service during the work, above the memory before the first large file. */
  const growthDuring = async (work: () => Promise<void>): Promise<number> => {
    // Resets the peak that Linux records.
    await writeFile(`/proc/${service.pid}/clear_refs`, '5')
    await work()
    const grown = (await memory()).peak - idle
    process.stdout.write(`      ${(grown / megabyte).toFixed(1)} MB more than before\n`)
    return grown
  }

  /** Resolves when the service no longer reads or writes because its clients wait. */
  const waitUntilIdle = async (): Promise<void> => {
    let moved = -1
    for (let still = 0; still < 5; still += 1) {
      const now = await bytesMoved(service.pid)
      if (now !== moved) still = 0
      moved = now
      await setTimeout(20)
    }
  }

  it(`${megabytes} MB are uploaded with at most 64 MB of memory`, async () => {
    const grown = await growthDuring(async () => {
      path = await uploadLarge(endpoint, id, bytes)
    })
    expect(grown).to.be.below(allowance)
    expect(expectOk(await api.get(`/files/${id}`)).object['byte_size']).to.equal(bytes)
  })

  it(`${megabytes} MB are downloaded with at most 64 MB of memory`, async () => {
    const grown = await growthDuring(async () => {
      expect(await downloadLarge(endpoint, path)).to.equal(digest)
    })
    expect(grown).to.be.below(allowance)
  })

  const smallBytes = 30 * megabyte
  const smallDigest = largeDigest(smallBytes)
  let smallPath: string

  it('are stored completely when a client pauses, without delaying other clients', async () => {
    const slowId = randomUUID()
    await putFile(api, slowId, 'slow')
    const grown = await growthDuring(async () => {
      smallPath = await uploadLarge(endpoint, slowId, smallBytes, async () => {
        await waitUntilIdle()
        expectOk(await api.get(`/files/${slowId}`))
        expectOk(await api.patch(`/files/${slowId}`, { title: 'renamed meanwhile' }))
      })
    })
    expect(grown).to.be.below(allowance)
    expect(await downloadLarge(endpoint, smallPath)).to.equal(smallDigest)
    expect(expectOk(await api.get(`/files/${slowId}`)).object['title']).to.equal('renamed meanwhile')
  })

  it('are downloaded slowly by several clients with at most 12 MB of memory for each, without delaying others', async () => {
    let grown = 0
    await growthDuring(async () => {
      let waiting = 0
      let goOn = (): void => undefined
      const everybodyWaits = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const pause = async (): Promise<void> => {
        waiting += 1
        if (waiting === slowClients) {
          await waitUntilIdle()
          grown = (await memory()).resident - idle
          expectOk(await api.get('/content?order=title'))
          await putFile(api, randomUUID(), 'meanwhile')
          goOn()
        }
        await everybodyWaits
      }
      const range = Array.from({ length: slowClients }, () => downloadLarge(endpoint, smallPath, pause))
      expect(new Set(await Promise.all(range))).to.deep.equal(new Set([smallDigest]))
    })
    expect(grown).to.be.below(slowAllowance)
  })
})
