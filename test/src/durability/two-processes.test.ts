/**
 * Several processes on one data directory: two services and the admin command. Each reads the writes of the
 * others, revoked keys become invalid in all, and a crash of one does not affect the others.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { isJsonObject } from '@publishing-service/domain'
import { expectOk } from '../harness/expect-answer.js'
import { createApi, type Api } from '../harness/http-client.js'
import { collectOrphans } from './collect-orphans.js'
import { describeCaches } from './caches.js'
import { incomingFiles, makeDataFolder, storedUploads, type DataFolder } from './data-folder.js'
import {
  fetchToken,
  killRemaining,
  runAdmin,
  startServiceProcess,
  type ServiceProcess,
} from './service-process.js'
import { waitFor } from './wait-for.js'
import { createArticle, expectOneSample, walk } from './written-things.js'
import { openTwoServices } from './write-targets.js'

/** Milliseconds within which a revoked key’s tokens end on every node (docs/behaviour/access.md#revocation). */
const revocationLimit = 5000

const textOf = (value: unknown, name: string): string => {
  if (!isJsonObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return String(value[name])
}

describe('several processes on one data directory', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let one: ServiceProcess
  let other: ServiceProcess
  let token: string
  let apis: readonly [Api, Api]
  before(async () => {
    folder = await makeDataFolder()
    // Both services start on the empty directory.
    ;[one, other] = await Promise.all([startServiceProcess(folder.path), startServiceProcess(folder.path)])
    token = await fetchToken(one.url)
    apis = [createApi(`${one.url}/1`, token), createApi(`${other.url}/1`, token)]
  })
  after(killRemaining)
  after(() => folder.remove())

  it('create one sample and one key when they start at the same time', () =>
    expectOneSample((...args) => runAdmin(folder.path, ...args), apis))

  it('read each other’s writes immediately', async () => {
    for (const [writer, reader] of [apis, [apis[1], apis[0]] as const]) {
      const id = randomUUID()
      await createArticle(writer, id, 'first')
      expect(expectOk(await reader.get(`/content/${id}`)).object['title']).to.equal('first')
      expectOk(await writer.patch(`/content/${id}`, { description: 'second' }))
      const { object } = expectOk(await reader.get(`/content/${id}`, { 'Cache-Control': 'no-cache' }))
      expect(object['description']).to.equal('second')
      expectOk(await writer.delete(`/content/${id}`))
      expect((await reader.get(`/content/${id}`, { 'Cache-Control': 'no-cache' })).status).to.equal(404)
    }
  })

  it('collect orphaned blobs of crashed processes, but not active uploads', async () => {
    const withData: string[] = []
    for (const id of await walk(apis[0], 'files', 'created')) {
      const { object } = await apis[0].get(`/files/${id}`, { 'Cache-Control': 'no-cache' })
      if (object['download_url'] !== null) withData.push(id)
    }
    await collectOrphans({ STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR: folder.path })
    expect(await incomingFiles(folder)).to.deep.equal([])
    const stored = (await storedUploads(folder)).map((path) => String(path.split('/')[1]))
    expect(stored.toSorted()).to.deep.equal(withData.toSorted())
  })

  it('accept a new key and instance immediately, and reject a revoked key soon', async () => {
    const created = await runAdmin(folder.path, 'instance', 'create', '--title', 'New', '--timezone', 'UTC')
    const instance = textOf(created, 'id')
    const issued = await runAdmin(folder.path, 'key', 'create', '--instance', instance, '--role', 'editor')
    const key = { key: textOf(issued, 'api_key'), secret: textOf(issued, 'api_secret') }
    const tokens = await Promise.all([one, other].map(({ url }) => fetchToken(url, key)))
    const readContent = (service: ServiceProcess, each: string) =>
      createApi(`${service.url}/${instance}`, each).get('/content', { 'Cache-Control': 'no-cache' })
    // Sends each token to each service, so that all of them are cached.
    const pairs = [one, other].flatMap((service) => tokens.map((each) => [service, each] as const))
    for (const [service, each] of pairs) expectOk(await readContent(service, each))
    await runAdmin(folder.path, 'key', 'revoke', key.key)
    const revoked = performance.now()
    for (const [service, each] of pairs)
      await waitFor('a revoked token ends', async () =>
        (await readContent(service, each)).status === 401 ? true : null,
      )
    expect(performance.now() - revoked).to.be.below(revocationLimit)
    const rejected = await fetchToken(other.url, key).catch((error: unknown) => String(error))
    expect(rejected).to.include('invalid_client')
    expect([await one.stop(), await other.stop()]).to.deep.equal([0, 0])
  })
})

describeCaches('on one data folder', openTwoServices)
