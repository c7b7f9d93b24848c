/**
 * A full disk: writes return 503, reads continue, acknowledged data is not lost, and writes continue when there is
 * space. The limit on the size of files (RLIMIT_FSIZE) simulates the full disk. Any user may change it for running
 * processes.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { expectError, expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { incomingFiles, makeFilledFolder, storedUploads, type DataFolder } from './data-folder.js'
import { fetchToken, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'
import {
  changeArticle,
  createArticle,
  createArticleWithSlot,
  putFile,
  readArticle,
  readFile,
  readMedia,
  replaceMedia,
  sha256Of,
  uploadFile,
} from './written-objects.js'

const run = promisify(execFile)

/** `prlimit` is part of util-linux. */
const limitFiles = async ({ pid }: ServiceProcess, bytes: number | 'unlimited'): Promise<void> => {
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

const data = Buffer.alloc(600_000, 'data of before')

describe('a full disk', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  let api: Api
  let article: string
  let slot: string
  let file: string
  before(async () => {
    folder = await makeFilledFolder()
    service = await startServiceProcess(folder.path)
    token = await fetchToken(service.url)
    api = createApi(`${service.url}/1`, token)
  })
  after(async () => {
    await killRemaining()
    await folder.remove()
  })
  beforeEach(async () => {
    await limitFiles(service, 'unlimited')
    article = randomUUID()
    await createArticle(api, article, 'before')
    const withSlot = randomUUID()
    slot = `/content/${withSlot}/slots/${await createArticleWithSlot(api, withSlot)}/media`
    await replaceMedia(api, slot, 'before')
    file = randomUUID()
    await putFile(api, file, 'before')
    await uploadFile(api, file, data)
  })

  const restart = async (): Promise<void> => {
    service = await startServiceProcess(folder.path)
    api = createApi(`${service.url}/1`, token)
  }

  const upload = (id: string, bytes: Buffer): Promise<ApiResponse> =>
    api.send('POST', `/files/${id}`, { body: bytes, headers: { 'Content-Type': 'application/zip' } })

  const expectUnavailable = (response: ApiResponse): void => {
    expectError(response, 503, 'unavailable')
    expect(Number(response.headers['retry-after'])).to.be.above(0)
  }

  /** Expects that every kind of write fails and leaves nothing behind. */
  const expectWritesRejected = async (): Promise<void> => {
    const fresh = randomUUID()
    expectUnavailable(
      await api.put(`/content/${fresh}`, { content_type: 'article', title: 'T', urlname: fresh }),
    )
    expectUnavailable(await api.patch(`/content/${article}`, { title: 'after', kicker: 'after' }))
    expectUnavailable(await api.put(slot, { items: [] }))
    expectUnavailable(await api.delete(`/content/${article}`))
    expectUnavailable(await api.put(`/files/${fresh}`, { title: 'T', filename: 'f' }))
    // One upload has no space for its data, the other for its metadata.
    expectUnavailable(await upload(file, Buffer.alloc(8_000_000, 'no room')))
    expectUnavailable(await upload(file, Buffer.from('small')))
  }

  const expectEverything = async (): Promise<void> => {
    expect(await readArticle(api, article)).to.equal('before')
    expect(await readMedia(api, slot)).to.equal('before')
    expect(await readFile(api, file)).to.deep.equal({ title: 'before', sha256: sha256Of(data) })
    expectOk(await api.get('/content?order=title&fields=title-url'))
  }

  const root = (): Api => createApi(service.url)

  it('returns 503 for writes, serves reads, and accepts writes again when there is space', async () => {
    const stored = await storedUploads(folder)
    await limitFiles(service, 4096)
    await expectWritesRejected()
    await expectEverything()
    expectUnavailable(await root().get('/health/ready'))
    expectOk(await root().get('/health/live'))
    expect(await storedUploads(folder), 'uploads that were refused').to.deep.equal(stored)
    expect(await incomingFiles(folder)).to.deep.equal([])

    await limitFiles(service, 'unlimited')
    await expectEverything()
    expectOk(await root().get('/health/ready'))
    await changeArticle(api, article, 'after')
    await replaceMedia(api, slot, 'after')
    await uploadFile(api, file, Buffer.from('after'))
    expect(await readArticle(api, article)).to.equal('after')
    expect(await readMedia(api, slot)).to.equal('after')
    expect(await readFile(api, file)).to.deep.equal({
      title: 'before',
      sha256: sha256Of(Buffer.from('after')),
    })
    expect(service.defects()).to.deep.equal([])
    expect(await service.stop()).to.equal(0)
    await restart()
  })

  it('stops cleanly, and the next start finds all data', async () => {
    await limitFiles(service, 4096)
    await expectWritesRejected()
    expect(await service.stop()).to.equal(0)
    expect(service.defects()).to.deep.equal([])
    await restart()
    await expectEverything()
  })

  it('keeps all acknowledged data if the service is killed', async () => {
    const acknowledged: string[] = []
    let rejected = 0
    const write = async (): Promise<void> => {
      for (let count = 0; count < 30; count += 1) {
        const id = randomUUID()
        const word = 'x'.repeat(500)
        const body = { content_type: 'article', title: id, urlname: id, content: `<p>${word}</p>` }
        const response = await api.put(`/content/${id}`, body)
        if (response.status === 200) acknowledged.push(id)
        else expectUnavailable(response)
        rejected += response.status === 200 ? 0 : 1
        if (acknowledged.length === 40) await limitFiles(service, 4096)
      }
    }
    await Promise.all([write(), write(), write(), write()])
    expect(rejected).to.be.above(0)
    await service.kill()
    await restart()
    for (const id of acknowledged)
      expect(expectOk(await api.get(`/content/${id}`)).object['title']).to.equal(id)
    await expectEverything()
  })
})
