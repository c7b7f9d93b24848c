/** Starts on MongoDB and MinIO that can't be: within ten seconds one message, with the variable and no secret. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { startService } from '@publishing-service/composition-root'
import { withDriver } from '../../../packages/adapter-mongodb/dist/test-support/database.js'
import { createMinioUser, startServers, type Servers } from '../../servers/dist/index.js'
import { configurationOf } from '../harness/start-test-service.js'
import { expectRefusal, runService, withDirectory, type Environment } from './program.js'

/** A port that nobody listens on. */
const closedPort = async (): Promise<number> => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  await once(listener, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('starts on servers that can’t be', function () {
  this.timeout(60_000)
  let servers: Servers
  let minio: Environment
  before(async () => {
    servers = await startServers()
    minio = {
      BLOBS: 'minio',
      MINIO_URL: servers.minio.url(),
      MINIO_ACCESS_KEY: servers.minio.accessKey,
      MINIO_SECRET_KEY: servers.minio.secretKey,
      MINIO_BUCKET: `bucket-${randomUUID()}`,
    }
  })
  after(() => servers.stop())

  const onMongodb = (MONGODB_URL: string): Environment => ({ STORE: 'mongodb', BLOBS: 'memory', MONGODB_URL })

  /** A start in this very process; the secret of all environments here is hidden-word, or the server’s own. */
  const expectRejected = async (environment: Environment, ...words: readonly RegExp[]): Promise<void> => {
    const begun = performance.now()
    const configuration = configurationOf({ PORT: '0', LOG_LEVEL: 'error', STORE: 'memory', ...environment })
    const rejected: unknown = await startService(configuration).then(
      async (service) => service.stop(),
      (error: unknown) => error,
    )
    expect(performance.now() - begun, 'milliseconds until it gave up').to.be.below(10_000)
    expect(rejected).to.be.instanceOf(Error)
    const text = String(rejected)
    for (const word of words) expect(text).to.match(word)
    expect(text).not.to.match(/\n|hidden-word/)
    expect(text).not.to.include(servers.minio.secretKey)
  }

  describe('MONGODB_URL', () => {
    const named = /\(see MONGODB_URL\)$/

    it('holds no host, a wrong port, an option that there isn’t', async () => {
      for (const url of [
        'mongodb://user:hidden-word@/x',
        'mongodb://user:hidden-word@127.0.0.1:99999/x',
        'mongodb://user:hidden-word@127.0.0.1/x?nonsense=1',
      ])
        await expectRejected(
          onMongodb(url),
          /^Error: The document store can't be opened on mongodb:\/\//,
          named,
        )
    })

    it('names no host that there is, or one that nobody listens on', async () => {
      await expectRejected(
        onMongodb('mongodb://user:hidden-word@no-such-host.invalid/x'),
        /on mongodb:\/\/no-such-host\.invalid\/x: no server .* was found \(.*no-such-host\.invalid/,
        named,
      )
      const port = await closedPort()
      await expectRejected(
        onMongodb(`mongodb://user:hidden-word@127.0.0.1:${port}/x`),
        new RegExp(`was found \\(.*ECONNREFUSED 127\\.0\\.0\\.1:${port}`),
        named,
      )
    })

    it('holds a password that the server refuses', () =>
      expectRejected(
        onMongodb(servers.mongodb.url('x').replace('mongodb://', 'mongodb://nobody:hidden-word@')),
        /rejects the user or the password|authentication/i,
        named,
      ))

    it('names a database of a later version', async () => {
      const url = servers.mongodb.url(`later-${randomUUID()}`)
      const first = await startService(configurationOf({ PORT: '0', LOG_LEVEL: 'error', ...onMongodb(url) }))
      await first.stop()
      await withDriver(url, async (client) => {
        const records = client.db().collection<{ readonly _id: string; readonly version: number }>('store')
        await records.updateOne({ _id: 'format' }, { $set: { version: 99 } })
      })
      await expectRejected(onMongodb(url), /were written by a later version of this program/, named)
    })
  })

  it('MINIO_URL names no host that there is, one that nobody listens on, or no such server', async () => {
    const named = /\(see MINIO_URL\)$/
    await expectRejected(
      { ...minio, MINIO_URL: 'http://no-such-host.invalid' },
      /no-such-host\.invalid/,
      named,
    )
    const port = await closedPort()
    await expectRejected({ ...minio, MINIO_URL: `http://127.0.0.1:${port}` }, /ECONNREFUSED/, named)
  })

  it('MINIO_ACCESS_KEY and MINIO_SECRET_KEY aren’t the server’s', async () => {
    await expectRejected(
      { ...minio, MINIO_ACCESS_KEY: 'nobody' },
      /the access key does not exist on the server \(see MINIO_ACCESS_KEY\)$/,
    )
    await expectRejected(
      { ...minio, MINIO_SECRET_KEY: 'hidden-word' },
      /the secret key does not belong to the access key \(see MINIO_SECRET_KEY\)$/,
    )
  })

  it('MINIO_BUCKET belongs to another account', async () => {
    const { accessKey, secretKey } = await createMinioUser(servers.minio)
    await expectRejected(
      { ...minio, MINIO_ACCESS_KEY: accessKey, MINIO_SECRET_KEY: secretKey },
      /bucket bucket-\S+: the bucket bucket-\S+ belongs to another account, or the access key may not write to it \(see MINIO_BUCKET\)$/,
    )
  })

  it('69: the program ends with that one message, though its database is looked for still', () =>
    withDirectory(async (DATA_DIR) => {
      const port = await closedPort()
      const url = `mongodb://user:hidden-word@127.0.0.1:${port}/x`
      const ending = await runService({ DATA_DIR, ...onMongodb(url) }).ended
      expectRefusal(
        ending,
        69,
        /^The service can’t start\.\n {2}- The document store can't be opened on .*\n$/m,
      )
      expect(ending.error).not.to.include('hidden-word')
    }))

  it('69: so it does where the bucket can’t be had', () =>
    withDirectory(async (DATA_DIR) => {
      const ending = await runService({ DATA_DIR, ...minio, MINIO_SECRET_KEY: 'hidden-word' }).ended
      expectRefusal(ending, 69, /^The service can’t start\.\n {2}- The blob store cannot be opened on .*\n$/m)
      expect(ending.error).not.to.include('hidden-word')
    }))
})
