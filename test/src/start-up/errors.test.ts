/** Failed starts: one message that names all errors and their fixes, an exit code, and no stack. */
import { access, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { configurationTable, startService } from '@publishing-service/composition-root'
import { apiVersion } from '@publishing-service/http-contract'
import { configurationOf } from '../harness/start-test-service.js'
import { runInSeries, startInSeries } from '../administration/command-series.js'
import { expectFailure, runService, withDirectory, type Environment } from './program.js'
import { expectUnwritable, makeData, makeDataOfLaterVersion } from './unusable-data.js'

/** Starts in this process. Rejects with the message that the program would print. */
const expectRejected = async (environment: Environment, words: RegExp): Promise<void> => {
  const rejected = await startService(
    configurationOf({ PORT: '0', LOG_LEVEL: 'error', ...environment }),
  ).then(
    async (service) => service.stop(),
    (error: unknown) => error,
  )
  expect(rejected).to.be.instanceOf(Error)
  expect(String(rejected)).to.match(words)
}

describe('informational options', function () {
  this.timeout(30_000)

  it('print the version and create no data', () =>
    withDirectory(async (directory) => {
      const DATA_DIR = join(directory, 'data')
      for (const ending of [
        await startInSeries({ DATA_DIR }, '--version'),
        await runInSeries({ DATA_DIR }, '--version'),
      ])
        expect(ending).to.deep.equal({ code: 0, out: `${apiVersion}\n`, error: '' })
      expect(await readdir(directory)).to.deep.equal([])
    }))

  it('print options, stores and every variable, without secrets', () =>
    withDirectory(async (directory) => {
      const environment = {
        DATA_DIR: directory,
        STORE: 'package:journal-store',
        JOURNAL_FILE: join(directory, 'j.jsonl'),
        BOOTSTRAP_API_SECRET: 'a-hidden-word-of-mine',
      }
      const { code, out, error } = await startInSeries(environment, '--help')
      expect({ code, error }).to.deep.equal({ code: 0, error: '' })
      for (const words of ['--adopt-blobs', '--version', ...Object.keys(configurationTable)])
        expect(out).to.include(words)
      expect(out).to.match(
        /^ {2}STORE=package:journal-store +documents: package:journal-store, \S+j\.jsonl$/m,
      )
      expect(out).to.match(/^ {2}JOURNAL_FILE +File of the journal/m)
      expect(out).to.not.include('a-hidden-word-of-mine')
      const admin = await runInSeries(environment, '--help')
      expect({ code: admin.code, error: admin.error }).to.deep.equal({ code: 0, error: '' })
      expect(admin.out).to.match(/^ {2}STORE=package:journal-store +documents: .*j\.jsonl$/m)
      expect(admin.out).to.match(/^ {2}JOURNAL_FILE +File of the journal/m)
      expect(await readdir(directory)).to.deep.equal([])
    }))

  it('print errors in the environment in the help', async () => {
    const { code, out } = await startInSeries({ STORE: 'package:chai' }, '--help')
    expect(code).to.equal(0)
    expect(out).to.match(
      /^The environment is wrong:\n {2}- STORE: the package chai can’t be used: it exports no documentStore, but /m,
    )
  })
})

describe('failed starts', function () {
  this.timeout(30_000)

  it('78: lists all invalid variables with their requirements, without secrets', async () => {
    const ending = await runService({
      HOST: 'not a host',
      PORT: '65536',
      BASE_URL: 'https://www.example.org/',
      TRUST_PROXY: 'perhaps',
      DATA_DIR: '',
      STORE: 'oracle',
      BLOBS: 'tape',
      MONGODB_URL: 'https://user:hidden-word@db.example.org',
      MINIO_URL: 'minio.example.org:9000',
      MINIO_BUCKET: 'a..b',
      IMAGING: 'gimp',
      BOOTSTRAP_API_KEY: 'a key with blanks',
      BOOTSTRAP_API_SECRET: 'tooshort',
      BARE_LINKS: '2',
      CORS_ORIGINS: 'example.org',
      LOG_LEVEL: 'loud',
      JSON_LIMIT: '5MB',
      STREAMING_HOSTS: '[{"name": "tube"}]',
    }).ended
    expectFailure(
      ending,
      78,
      /^The service can’t start: its configuration is wrong\.$/m,
      /^ {2}- HOST must be a host name or address, .*; «not a host» is not$/m,
      /^ {2}- PORT must be a whole number from 0 to 65535; «65536» is not$/m,
      /^ {2}- BASE_URL must be an address such as .*«https:\/\/www\.example\.org\/» is not$/m,
      /^ {2}- TRUST_PROXY must be true or false; «perhaps» is not$/m,
      /^ {2}- DATA_DIR must be a path; it is set, but empty: unset it to have its default$/m,
      /^ {2}- STORE must be one of sqlite, .*memory.*; «oracle» is not$/m,
      /^ {2}- BLOBS must be one of filesystem, .*memory.*; «tape» is not$/m,
      /^ {2}- MONGODB_URL must be a connection string that begins with mongodb:\/\/ .*; its value is not$/m,
      /^ {2}- MINIO_URL must be an address such as .*; «minio\.example\.org:9000» is not$/m,
      /^ {2}- MINIO_BUCKET must be 3 to 63 characters .*; «a\.\.b» is not$/m,
      /^ {2}- IMAGING must be one of jimp.*; «gimp» is not$/m,
      /^ {2}- BOOTSTRAP_API_KEY must be 1 to 128 characters of .*; its value is not$/m,
      /^ {2}- BOOTSTRAP_API_SECRET must be 16 to 256 characters of .*; its value is not$/m,
      /^ {2}- BARE_LINKS must be true or false; «2» is not$/m,
      /^ {2}- CORS_ORIGINS must be origins such as .*; «example\.org» is not$/m,
      /^ {2}- LOG_LEVEL must be one of error, warn, info, debug; «loud» is not$/m,
      /^ {2}- JSON_LIMIT must be a whole number from 1 to \d+; «5MB» is not$/m,
      /^ {2}- STREAMING_HOSTS must be a JSON list of objects with name, aliases and hosts; «.*» is not$/m,
    )
    expect(ending.error).to.not.match(/tooshort|a key with blanks|hidden-word/)
  })

  it('78: reports misspelled variables, for the service and the admin command', async () => {
    const environment = { STOER: 'memory', MONGODB_URI: 'mongodb://user:hidden-word@db.example.org/news' }
    for (const ending of [await startInSeries(environment), await runInSeries(environment, 'key', 'list')]) {
      expectFailure(
        ending,
        78,
        /^ {2}- STOER is no variable of the service, and STORE is: correct the name, or remove it$/m,
        /^ {2}- MONGODB_URI is no variable of the service, and MONGODB_URL is: /m,
      )
      expect(ending.error).to.not.include('hidden-word')
    }
  })

  it('78: reports packages that are not installed or provide no store, for the service and the admin command', async () => {
    const environment = { STORE: 'package:@news/not-installed-store', BLOBS: 'package:chai' }
    for (const ending of [await startInSeries(environment), await runInSeries(environment, 'key', 'list')])
      expectFailure(
        ending,
        78,
        /^ {2}- STORE: the package @news\/not-installed-store can’t be loaded: it isn’t installed\. Install it /m,
        /^ {2}- BLOBS: the package chai can’t be used: it exports no blobStore, but .*write-an-adapter\.md/m,
      )
  })

  it('69: reports a port in use before data is created', () =>
    withDirectory(async (directory) => {
      const other = createServer().listen(0, '127.0.0.1')
      await new Promise((listening) => {
        other.once('listening', listening)
      })
      const address = other.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      expectFailure(
        await startInSeries({ DATA_DIR: directory, PORT: String(port) }),
        69,
        /^The service can’t start\.$/m,
        new RegExp(
          `port ${port} on 127\\.0\\.0\\.1 is in use: stop what listens there, or set PORT to another`,
        ),
      )
      other.close()
      const created = await access(join(directory, 'documents.sqlite')).then(
        () => true,
        () => false,
      )
      expect(created).to.equal(false)
    }))

  it('reports an address that is not local', () =>
    withDirectory((DATA_DIR) =>
      expectRejected({ DATA_DIR, HOST: '192.0.2.1' }, /HOST, 192\.0\.2\.1, is not an address/),
    ))

  it('reports a data directory that is a file or is inside of one', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'file')
      await writeFile(file, '')
      await expectRejected(
        { DATA_DIR: file },
        /DATA_DIR, \S+\/file, can’t be used: it is a file: name a folder/,
      )
      await expectRejected(
        { DATA_DIR: join(file, 'data') },
        /can’t be used: it is below a file: name a folder/,
      )
    }))

  it('reports a data directory that the system does not make', () =>
    expectRejected(
      { DATA_DIR: '/proc/publishing-data' },
      /DATA_DIR, \/proc\/publishing-data, can’t be used: /,
    ))

  it('69: reports a data directory without write permission', () => withDirectory(expectUnwritable))

  it('reports data of a later version', () =>
    withDirectory(async (DATA_DIR) => {
      await makeDataOfLaterVersion(DATA_DIR)
      await expectRejected(
        { DATA_DIR },
        /documents\.sqlite.* was written by a later version of this program \(see DATA_DIR\)$/,
      )
    }))

  it('reports a document file of another format', () =>
    withDirectory(async (DATA_DIR) => {
      await writeFile(join(DATA_DIR, 'documents.sqlite'), 'Dear diary, '.repeat(1000))
      await expectRejected({ DATA_DIR }, /documents\.sqlite: .*file is not a database \(see DATA_DIR\)$/)
    }))

  it('reports a truncated document file', () =>
    withDirectory(async (DATA_DIR) => {
      await makeData(DATA_DIR)
      const file = await open(join(DATA_DIR, 'documents.sqlite'), 'r+')
      await file.truncate(20_000)
      await file.close()
      await expectRejected({ DATA_DIR }, /(?:malformed|not a database|corrupt).* \(see DATA_DIR\)$/)
    }))

  it('reports a blob directory that is a file', () =>
    withDirectory(async (DATA_DIR) => {
      await mkdir(DATA_DIR, { recursive: true })
      await writeFile(join(DATA_DIR, 'blobs'), '')
      await expectRejected({ DATA_DIR }, /blobs.* \(see DATA_DIR\)$/)
    }))
})
