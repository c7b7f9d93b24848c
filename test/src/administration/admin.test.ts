/** The admin command in another process, next to a service on the same data. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Database } from '@publishing-service/adapter-sqlite/better-sqlite3'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { roles } from '@publishing-service/domain/roles'
import { root } from '../documentation/documents.js'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { expectFailure, runAdmin, withDirectory, type ProcessResult } from '../start-up/program.js'
import { makeDataOfLaterVersion } from '../start-up/unusable-data.js'
import { requestToken, tokenFor, type Key } from '../start-up/token.js'
import { expectSuccess, jsonOf } from './command-output.js'
import { runInSeries } from './command-series.js'

describe('admin', function () {
  this.timeout(30_000)
  it('ends normally if the reader of its output has ended before', async () => {
    const command = '"$0" "$1" instance create --help | true; echo "${PIPESTATUS[0]}"'
    const program = join(root, 'packages/cli/bin/admin.js')
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command, process.execPath, program])
    expect([stdout, stderr]).to.deep.equal(['0\n', ''])
  })

  let locked = ''
  let lock: Database
  let onLocked: Promise<ProcessResult>

  before(async () => {
    // The command waits ten seconds for the lock, so it runs concurrently with the other tests.
    locked = await mkdtemp(join(tmpdir(), 'publishing-locked-'))
    const creation = ['--create', 'instance', 'create', '--title', 'T', '--timezone', 'UTC']
    expectSuccess(await runInSeries({ DATA_DIR: locked }, ...creation))
    lock = new Database(join(locked, 'documents.sqlite'))
    lock.exec('BEGIN IMMEDIATE')
    onLocked = runAdmin({ DATA_DIR: locked }, 'key', 'create', '--instance', '1', '--role', 'admin', '--json')
  })
  after(async () => {
    lock.close()
    await rm(locked, { recursive: true, force: true })
  })

  describe('on an empty data directory, then next to a running service', () => {
    let DATA_DIR = ''
    let service: TestService | null = null
    const admin = (...args: readonly string[]): Promise<ProcessResult> => runInSeries({ DATA_DIR }, ...args)
    before(async () => {
      DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-admin-'))
    })
    after(async () => {
      await service?.stop()
      await rm(DATA_DIR, { recursive: true, force: true })
    })
    const running = async (): Promise<TestService> => {
      service ??= await startTestService({ DATA_DIR })
      return service
    }

    it('creates nothing in an empty directory without --create', async () => {
      for (const command of ['instance', 'key'])
        expectFailure(
          await admin(command, 'list'),
          78,
          new RegExp(`DATA_DIR, ${DATA_DIR}, contains no data of a service: .*documents\\.sqlite`),
          /add --create/,
        )
      expect(await readdir(DATA_DIR)).to.deep.equal([])
    })

    it('creates instances, and the first start adds no sample', async () => {
      const settings = ['--title', 'Der Böte', '--timezone', 'Europe/Vienna', '--language', 'de-AT']
      const further = ['--directory-addon', '--website', 'https://www.example.org/', '--json']
      const created = await admin('--create', 'instance', 'create', ...settings, ...further)
      const expected = {
        id: 1,
        title: 'Der Böte',
        timezone: 'Europe/Vienna',
        language: 'de-AT',
        directory_addon: true,
        public_downloads: false,
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
      expect(jsonOf(created)).to.deep.equal(expected)
      const { url, bootstrapped } = await running()
      expect(bootstrapped).to.deep.include({ issued: null, firstInstance: 1, sample: null })
      expectSuccess(
        await admin('instance', 'create', '--title', 'News', '--timezone', 'UTC'),
        /^Instance 2, “News”, is created\.\nCreate a key for it: .* key create --instance 2 --role admin$/m,
      )
      const listed = jsonOf(await admin('instance', 'list', '--json'))
      expect(listed).to.deep.include.members([expected])
      expect(listed).to.have.length(2)
      expectSuccess(
        await admin('instance', 'list'),
        /^ID {2}TITLE .*\n1 {3}Der Böte {2}Europe\/Vienna .*\n2 {3}News /,
      )
      const key = jsonOf(await admin('key', 'create', '--instance', '1', '--role', 'admin', '--json')) as Key
      const api = createApi(`${url}/1`, await tokenFor(url, key))
      expect((await api.get('/content')).object['items']).to.deep.equal([])
      expect((await api.get('/settings')).object['title']).to.equal('Der Böte')
    })

    it('exports the redirects of an instance as a file, or as JSON', async () => {
      const { url } = await running()
      const key = jsonOf(await admin('key', 'create', '--instance', '1', '--role', 'editor', '--json')) as Key
      const api = createApi(`${url}/1`, await tokenFor(url, key))
      await api.post('/redirects', { pattern: '/old', template: '/new/', ord: 1 })
      const exported = ['redirects', 'export', '--instance', '1', '--format', 'netlify']
      expectSuccess(await admin(...exported), /^\/old \/new\/ 301$/m)
      const redirects = [{ from: '/old', to: '/new/', status: 301, keepsQuery: false }]
      expect(jsonOf(await admin(...exported, '--json'))).to.deep.equal(redirects)
      expectFailure(
        await admin('redirects', 'export', '--instance', '7', '--format', 'nginx'),
        1,
        /instance list/,
      )
    })

    it(`creates keys of every role, which a running service accepts immediately${sampleTitle(2, roles.length)}`, async () => {
      const { url } = await running()
      await Promise.all(
        sampleFrom(roles, 2).map(async (role) => {
          const args = ['key', 'create', '--instance', '2', '--role', role, '--name', `the ${role}`, '--json']
          const key = jsonOf(await admin(...args)) as Key
          expect(Object.keys(key)).to.deep.equal(['api_key', 'api_secret'])
          expect(`${key.api_key}${key.api_secret}`).to.match(/^[\w-]+$/)
          const { status, body } = await requestToken(url, key)
          expect(status).to.equal(200)
          expect(body['items']).to.deep.equal([{ id: 2, roles: [role], url: `${url}/2` }])
        }),
      )
    })

    it('lists keys without secrets, and revokes keys and their tokens within five seconds', async () => {
      const { url, clock } = await running()
      const created = await admin('key', 'create', '--instance', '2', '--role', 'reader')
      expectSuccess(created, /^API key {5}[\w-]+\nAPI secret {2}[\w-]+\nStore the secret now/)
      const [, api_key = '', api_secret = ''] = /key +(\S+)\nAPI secret +(\S+)/.exec(created.out) ?? []
      const api = createApi(`${url}/2`, await tokenFor(url, { api_key, api_secret }))
      expect((await api.get('/content')).status).to.equal(200)
      const listed = await admin('key', 'list', '--json')
      expect(listed.out).to.not.include(api_secret)
      expect(jsonOf(listed)).to.satisfy((rows: readonly Record<string, unknown>[]) =>
        rows.some((row) => row['api_key'] === api_key && row['revoked'] === null),
      )
      const revoked = await admin('key', 'revoke', api_key, '--json')
      expect(jsonOf(revoked)).to.deep.equal({ api_key, revoked: true })
      clock.advance(5000)
      expect((await api.get('/content')).status).to.equal(401)
      expect((await requestToken(url, { api_key, api_secret })).status).to.equal(401)
      expectSuccess(
        await admin('key', 'revoke', api_key),
        /is revoked\. Its tokens become invalid within five seconds/,
      )
      expectSuccess(await admin('key', 'list'), new RegExp(`^${api_key} .* reader +\\S+Z +\\S+Z$`, 'm'))
    })
  })

  it('69: prints why the data is not accessible', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'file')
      await writeFile(file, '')
      const later = join(directory, 'later')
      await makeDataOfLaterVersion(later)
      expectFailure(
        await runInSeries({ DATA_DIR: file }, 'instance', 'list', '--json'),
        69,
        /^Nothing was done\.\n {2}- DATA_DIR, \S+, can’t be used: it is a file: name a folder/,
      )
      expectFailure(
        await runInSeries({ DATA_DIR: later }, 'instance', 'list', '--json'),
        69,
        /was written by a later version of this program/,
      )
    }))

  it('78: prints the errors in the environment, and rejects stores in memory', async () => {
    expectFailure(
      await runInSeries({ STORE: 'oracle', LOG_LEVEL: 'loud' }, 'key', 'list', '--json'),
      78,
      /^Nothing was done\. The environment is invalid\.$/m,
      /- STORE must/,
      /- LOG_LEVEL must/,
    )
    expectFailure(
      await runInSeries({ STORE: 'memory' }, 'key', 'list', '--json'),
      78,
      /- STORE=memory stores documents in the process of the service/,
    )
  })

  describe('on data that another process has locked', () => {
    it('69: prints that the database is locked, and can still read it', async () => {
      expectSuccess(await runInSeries({ DATA_DIR: locked }, 'instance', 'list'), /^1 {3}T /m)
      expectFailure(
        await onLocked,
        69,
        /^ {2}- the document store is unavailable: .*database is locked\. .* try again later$/m,
      )
    })
  })
})
