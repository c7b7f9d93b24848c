/**
 * A full file system, as a mount of a few megabytes: writes return 507 and leave nothing behind. Reads, deletions,
 * sign-in and revocation continue. Writes continue when there is space. The tests are skipped without the right to
 * mount. full-disk.test.ts tests other failures without a mount.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expectError, expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { expectFailure, runService } from '../start-up/program.js'
import { incomingFiles, makeDataFolder, storedUploads, type DataFolder } from './data-folder.js'
import {
  fetchToken,
  killRemaining,
  runAdmin,
  startServiceProcess,
  type ServiceProcess,
} from './service-process.js'
import { waitFor } from './wait-for.js'
import { createArticle, readFile, sha256Of, uploadFile, putFile } from './written-objects.js'

const run = promisify(execFile)
const mebibyte = 1024 * 1024
const size = 96 * mebibyte
const reservedSpace = 16 * mebibyte
const large = Buffer.alloc(24 * mebibyte, 'large')

describe('full storage', function () {
  this.timeout(120_000)
  let parent: DataFolder
  let folder: DataFolder
  let service: ServiceProcess
  let token: string
  let api: Api
  let article: string
  let file: string

  before(async function () {
    parent = await makeDataFolder()
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', parent.path])
    } catch {
      this.skip()
    }
    folder = { path: join(parent.path, 'data'), remove: async () => undefined }
    await mkdir(folder.path, { mode: 0o700 })
    await start()
    article = randomUUID()
    await createArticle(api, article, 'before')
    file = randomUUID()
    await putFile(api, file, 'before')
    await uploadFile(api, file, large)
  })
  after(async () => {
    await killRemaining()
    await run('umount', [parent.path]).catch(() => undefined)
    await parent.remove()
  })
  afterEach(() => rm(filler(), { force: true }))

  const filler = (): string => join(parent.path, 'filler')

  const start = async (): Promise<void> => {
    service = await startServiceProcess(folder.path)
    token = await fetchToken(service.url)
    api = createApi(`${service.url}/1`, token)
  }

  const reserveFile = (): string => join(folder.path, 'documents.sqlite-reserve')

  const reservedBytes = async (): Promise<number> => (await stat(reserveFile())).size

  const hasReservedSpace = async (): Promise<boolean> => (await reservedBytes()) === reservedSpace

  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(parent.path)
    return bavail * bsize
  }

  /** Fills the disk. The service may take some of the space meanwhile. */
  const fill = async (): Promise<void> => {
    try {
      await appendFile(filler(), Buffer.alloc(await free(), 'x'))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }

  /** Fills the disk except for the reserved space, until the service has released that. */
  const fillUntilFull = async (): Promise<void> => {
    for (let count = 0; count < 9000; count += 1) {
      if (await hasReservedSpace()) await fill()
      const response = await api.patch(`/content/${article}`, {
        print_description: 'x'.repeat(90_000 + count),
      })
      expect(response.status).to.be.oneOf([200, 507])
      // With less free space than this, the service cannot reserve it again.
      if (response.status !== 507 || (await free()) >= 1.25 * reservedSpace) continue
      const short = await api.patch(`/content/${article}`, { kicker: `${count}` })
      if (short.status === 507) return
      expect(short.status).to.equal(200)
    }
    throw new Error('the disk was never full')
  }

  const expectFull = (response: ApiResponse): void => {
    expectError(response, 507, 'insufficient_storage')
    expect(Number(response.headers['retry-after'])).to.be.above(0)
  }

  const upload = (id: string, bytes: Buffer): Promise<ApiResponse> =>
    api.send('POST', `/files/${id}`, { body: bytes, headers: { 'Content-Type': 'application/zip' } })

  const events = (name: string): number =>
    service.output().filter((line) => line.includes(`"${name}"`)).length

  const expectWritesRejected = async (): Promise<void> => {
    const stored = await storedUploads(folder)
    expectFull(await api.patch(`/content/${article}`, { title: 'after' }))
    expectFull(await api.put(`/files/${randomUUID()}`, { title: 'T', filename: 'f' }))
    expectFull(await upload(file, Buffer.alloc(mebibyte, 'no room')))
    expectFull(await upload(file, Buffer.from('small')))
    expect(await storedUploads(folder), 'uploads that were refused').to.deep.equal(stored)
    expect(await incomingFiles(folder)).to.deep.equal([])
  }

  const titleOf = async (id: string): Promise<unknown> =>
    expectOk(await api.get(`/content/${id}`, { 'Cache-Control': 'no-cache' })).object['title']

  const readinessErrors = async (): Promise<readonly JsonObject[]> => {
    const { errors } = expectOk(await createApi(service.url).get('/health/ready')).object
    return Array.isArray(errors) ? errors.filter(isJsonObject) : []
  }
  const fullParts = async (): Promise<readonly unknown[]> =>
    (await readinessErrors()).map(({ part: name }) => name)

  it('rejects writes, serves reads, signs in, deletes, and accepts writes again after deletions', async () => {
    const doomed: string[] = []
    for (let count = 0; count < 40; count += 1) {
      doomed.push(randomUUID())
      await createArticle(api, String(doomed[count]), 'doomed')
    }
    const section = uuidOf(await api.post('/sections', { title: 'S', urlname: randomUUID() }))
    const created = await runAdmin(folder.path, 'key', 'create', '--instance', '1', '--role', 'editor')
    const key = isJsonObject(created) ? String(created['api_key']) : ''
    await fillUntilFull()
    await expectWritesRejected()
    expect(await titleOf(article)).to.equal('before')
    expect(await readFile(api, file)).to.deep.equal({ title: 'before', sha256: sha256Of(large) })
    expect(await fullParts()).to.deep.equal(['document store', 'blob store'])
    await fetchToken(service.url)
    await runAdmin(folder.path, 'key', 'revoke', key)
    for (const id of doomed) expectOk(await api.delete(`/content/${id}`))
    expectOk(await api.delete(`/sections/${section}`))
    expect(events('storage full')).to.be.above(0)

    // Deletions may have used the reserved space, which is reserved again first.
    const space = async (): Promise<number> => (await free()) + (await reservedBytes())
    const freeBefore = await space()
    expectOk(await api.delete(`/files/${file}`))
    expectOk(await api.delete(`/trash/files/${file}`))
    expect((await space()) - freeBefore).to.be.above(large.length * 0.9)
    expectOk(await api.patch(`/content/${article}`, { title: 'after' }))
    expect(await titleOf(article)).to.equal('after')
    expect(await hasReservedSpace()).to.equal(true)
    await rm(filler())
    file = randomUUID()
    await putFile(api, file, 'again')
    await uploadFile(api, file, large)
    expect(await fullParts()).to.deep.equal([])
    expect(service.defects()).to.deep.equal([])
  })

  it('signs in, revokes and deletes although another program fills what is free, and says when it can’t', async () => {
    const doomed: string[] = []
    for (let count = 0; count < 8; count += 1) {
      doomed.push(randomUUID())
      await createArticle(api, String(doomed[count]), 'doomed')
    }
    await fillUntilFull()
    for (const id of doomed) {
      await fill()
      expectOk(await api.delete(`/content/${id}`))
      await fill()
      await fetchToken(service.url)
    }
    await fill()
    const [documents] = await readinessErrors()
    expect(documents?.['text']).to.include('sign-in and deletions work')
    expect(await reservedBytes()).to.be.above(reservedSpace / 2)

    // What is left of the reserve is taken away, before the service lengthens it again.
    do {
      await truncate(reserveFile(), 0)
      await fill()
    } while ((await free()) + (await reservedBytes()) > 0)
    expectFull(await api.delete(`/content/${article}`))
    const [exhausted] = await readinessErrors()
    expect(exhausted?.['text']).to.include('sign-in and deletions may as well')
    await rm(filler())
    // Without a write.
    await waitFor('the reserve is whole again', async () => ((await hasReservedSpace()) ? true : null))
    expect(await readinessErrors()).to.deep.equal([])
    expect(service.defects()).to.deep.equal([])
  })

  it('starts on a full disk, and deletes', async () => {
    expect(await service.stop()).to.equal(0)
    await fill()
    await start()
    expect(await titleOf(article)).to.equal('after')
    expectFull(await api.patch(`/content/${article}`, { title: 'later' }))
    expectOk(await api.delete(`/files/${file}`))
    expectOk(await api.delete(`/trash/files/${file}`))
    expectOk(await api.patch(`/content/${article}`, { title: 'later' }))
    expect(service.defects()).to.deep.equal([])
    expect(await service.stop()).to.equal(0)
  })
})

describe('a first start', function () {
  this.timeout(60_000)

  it('needs 68 MB, and says so on a disk that has less', async function () {
    const parent = await makeDataFolder()
    const DATA_DIR = join(parent.path, 'data')
    const resize = (mebibytes: number, ...options: readonly string[]) =>
      run('mount', ['-t', 'tmpfs', '-o', [...options, `size=${mebibytes}m`].join(','), 'tmpfs', parent.path])
    try {
      await resize(63)
    } catch {
      await parent.remove()
      this.skip()
    }
    try {
      expectFailure(
        await runService({ DATA_DIR }).ended,
        69,
        /DATA_DIR, \S+, has not enough space: a first start needs 68 MB, and 67 MB are free\n/,
      )
      await resize(64, 'remount')
      const service = await startServiceProcess(DATA_DIR)
      expect(await createApi(`${service.url}/1`, await fetchToken(service.url)).get('/sections')).to.include({
        status: 200,
      })
    } finally {
      await killRemaining()
      await run('umount', [parent.path])
      await parent.remove()
    }
  })
})
