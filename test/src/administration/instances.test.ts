/** The commands that change and delete instances, with a service on the same data. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createApi } from '../harness/http-client.js'
import { copyFirstData, startTestService, type TestService } from '../harness/start-test-service.js'
import { storeFile } from '../harness/stored-files.js'
import { adminProgram, expectFailure, runNode, type ProcessResult } from '../start-up/program.js'
import { requestToken, tokenFor } from '../start-up/token.js'
import { runInSeries } from './command-series.js'
import { expectSuccess, jsonOf, objectOf } from './command-output.js'

describe('admin instance', function () {
  this.timeout(60_000)
  let DATA_DIR = ''
  let service: TestService
  const admin = (...args: readonly string[]): Promise<ProcessResult> => runInSeries({ DATA_DIR }, ...args)
  before(async () => {
    DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-instances-'))
    await copyFirstData(DATA_DIR)
    service = await startTestService({ DATA_DIR })
    for (const title of ['Two', 'Three'])
      await service.useCases.administerInstances.create({ title, timezone: 'UTC' })()
  })
  after(async () => {
    await service.stop()
    await rm(DATA_DIR, { recursive: true, force: true })
  })

  const apiFor = async (instance: number) => {
    const key = await service.keyFor('admin', instance)
    return { key, api: createApi(`${service.url}/${instance}`, await tokenFor(service.url, key)) }
  }

  /** The directories of instances in the file data. */
  const folders = async (): Promise<readonly string[]> =>
    (await readdir(join(DATA_DIR, 'blobs', 'blobs'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
      .map(({ name }) => name)
      .toSorted()

  it('set changes the passed settings, which a running service uses within seconds', async () => {
    const { api } = await apiFor(1)
    expect((await api.get('/settings')).object['title']).to.equal('The Long Exposure')
    const passedOptions = ['--title', 'Der Böte', '--timezone', 'Europe/Vienna', '--language', 'de-AT']
    const further = ['--directory-addon', '--public-downloads', '--website', 'https://www.example.org/']
    const changed = objectOf(await admin('instance', 'set', '1', ...passedOptions, ...further, '--json'))
    const settings = {
      title: 'Der Böte',
      timezone: 'Europe/Vienna',
      language: 'de-AT',
      directory_addon: true,
      public_downloads: true,
      prepare_images: false,
      public_feeds: false,
      public_reading: false,
      public_comments: false,
      shared_max_age: 60,
      website_url: 'https://www.example.org/',
      preview_url: null,
      hub_url: null,
      robots_disallow: [],
    }
    expect(changed).to.deep.equal({ id: 1, ...settings })
    service.clock.advance(3000)
    const read = await api.get('/settings', { 'Cache-Control': 'no-cache' })
    expect(read.object).to.deep.equal(settings)
    const off = ['--no-directory-addon', '--no-public-downloads', '--no-website']
    expectSuccess(await admin('instance', 'set', '1', ...off), /^Instance 1, “Der Böte”, is changed\.$/m)
    expect(jsonOf(await admin('instance', 'list', '--json'))).to.deep.include({
      id: 1,
      ...settings,
      directory_addon: false,
      public_downloads: false,
      prepare_images: false,
      public_feeds: false,
      public_reading: false,
      public_comments: false,
      shared_max_age: 60,
      website_url: null,
      preview_url: null,
      hub_url: null,
      robots_disallow: [],
    })
  })

  it('1: delete requires the title', async () => {
    expectFailure(
      await admin('instance', 'delete', '2', '--title', 'two'),
      1,
      /- --title: must be exactly the title of the instance/,
    )
    expect(jsonOf(await admin('instance', 'list', '--json'))).to.have.length(3)
  })

  it('delete removes the instance, and requests for it fail', async () => {
    const [two, three] = [await apiFor(2), await apiFor(3)]
    const lost = await storeFile(two.api)
    const other = await storeFile(three.api)
    expect((await two.api.get('/files')).status).to.equal(200)
    expect(await folders()).to.deep.equal(['1', '2', '3'])
    const deleted = objectOf(await admin('instance', 'delete', '2', '--title', 'Two', '--json'))
    service.clock.advance(5000)
    for (const path of ['', '/files', lost.download])
      expect((await two.api.get(path)).status, path).to.equal(401)
    expect(deleted).to.deep.include({ id: 2, title: 'Two', keys: 1 })
    expect((await requestToken(service.url, two.key)).status).to.equal(401)
    expect((await three.api.get(other.download)).status).to.equal(200)
    expect(await folders()).to.deep.equal(['1', '3'])
    const created = objectOf(await admin('instance', 'create', '--title', 'T', '--timezone', 'UTC', '--json'))
    expect(created['id']).to.equal(4)
  })

  it('delete finishes an interrupted deletion', async () => {
    const { api } = await apiFor(3)
    const environment = { DATA_DIR, LOG_LEVEL: 'error' }
    const killed = runNode([adminProgram, 'instance', 'delete', '3', '--title', 'Three'], environment)
    while ((await api.get('/files', { 'Cache-Control': 'no-cache' })).status === 200) {
      service.clock.advance(1000)
      await setTimeout(50)
    }
    killed.signal('SIGKILL')
    expect((await killed.ended).code).to.equal(null)
    expectSuccess(
      await admin('instance', 'delete', '3', '--title', 'Three'),
      /^Instance 3, “Three”, is deleted, .* Its number will not be used again\.$/m,
    )
    expect(await folders()).to.deep.equal(['1'])
    const { code, out } = await admin('storage', 'verify', '--json')
    expect(code, out).to.equal(0)
  })
})
