/**
 * Several processes on one data directory: two services and the admin command. Each reads the writes of the
 * others, revoked keys become invalid in all, and a crash of one does not affect the others.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { jsonOf } from '../administration/command-output.js'
import { runInSeries } from '../administration/command-series.js'
import { createApi, type Api } from '../harness/http-client.js'
import { collectOrphans } from './collect-orphans.js'
import { incomingFiles, makeDataFolder, storedUploads, type DataFolder } from './data-folder.js'
import { fetchToken, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'
import { expectSharedKeys, expectSharedWrites } from './two-services.js'
import { expectOneSample, walk } from './written-objects.js'

describe('several processes on one data directory', function () {
  this.timeout(60_000)
  let folder: DataFolder
  let one: ServiceProcess
  let other: ServiceProcess
  let apis: readonly [Api, Api]
  const admin = async (...args: readonly string[]): Promise<unknown> =>
    jsonOf(await runInSeries({ DATA_DIR: folder.path }, ...args, '--json'))
  before(async () => {
    folder = await makeDataFolder()
    // Both services start on the empty directory.
    ;[one, other] = await Promise.all([startServiceProcess(folder.path), startServiceProcess(folder.path)])
    const token = await fetchToken(one.url)
    apis = [createApi(`${one.url}/1`, token), createApi(`${other.url}/1`, token)]
  })
  after(killRemaining)
  after(() => folder.remove())

  it('create one sample and one key when they start at the same time', () => expectOneSample(admin, apis))

  it('read each other’s writes immediately', () => expectSharedWrites(apis))

  it('collect orphaned blobs of crashed processes, but not active uploads', async () => {
    const withData: string[] = []
    for (const id of await walk(apis[0], 'files', 'created')) {
      const { object } = await apis[0].get(`/files/${id}`, { 'Cache-Control': 'no-cache' })
      if (object['download_url'] !== undefined) withData.push(id)
    }
    await collectOrphans({ STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR: folder.path })
    expect(await incomingFiles(folder)).to.deep.equal([])
    const stored = (await storedUploads(folder)).map((path) => String(path.split('/')[1]))
    expect(stored.toSorted()).to.deep.equal(withData.toSorted())
  })

  it('accept a new key and instance immediately, and reject a revoked key soon', async () => {
    await expectSharedKeys([one, other], admin)
    expect([await one.stop(), await other.stop()]).to.deep.equal([0, 0])
  })
})
